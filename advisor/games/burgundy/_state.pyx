"""The packed state's layout for Python: the NumPy dtype of the C struct.

`pack.py` fills and reads named fields through it. Offsets and sizes come from the compiler and are
compared on import, so Python and C cannot drift apart.
"""

import numpy as np

cdef BgState _s

_FIELDS = [  # name, type, shape, offset, bytes
    ("filled", "u8", (SEATS,), <char*>&_s.filled - <char*>&_s, sizeof(_s.filled)),
    ("frontier", "u8", (SEATS,), <char*>&_s.frontier - <char*>&_s, sizeof(_s.frontier)),
    ("goods", "u4", (SEATS,), <char*>&_s.goods - <char*>&_s, sizeof(_s.goods)),
    ("sold", "u4", (SEATS,), <char*>&_s.sold - <char*>&_s, sizeof(_s.sold)),
    ("monasteries", "u4", (SEATS,), <char*>&_s.monasteries - <char*>&_s, sizeof(_s.monasteries)),
    ("depot_goods", "u4", (DEPOTS,), <char*>&_s.depot_goods - <char*>&_s, sizeof(_s.depot_goods)),
    ("offered", "u4", (), <char*>&_s.offered - <char*>&_s, sizeof(_s.offered)),
    ("pending", "u4", (), <char*>&_s.pending - <char*>&_s, sizeof(_s.pending)),
    ("score", "i2", (SEATS,), <char*>&_s.score - <char*>&_s, sizeof(_s.score)),
    ("points", "i2", (SEATS, SOURCES), <char*>&_s.points - <char*>&_s, sizeof(_s.points)),
    ("workers", "u2", (SEATS,), <char*>&_s.workers - <char*>&_s, sizeof(_s.workers)),
    ("silver", "u2", (SEATS,), <char*>&_s.silver - <char*>&_s, sizeof(_s.silver)),
    ("estate", "u1", (SEATS, CELLS), <char*>&_s.estate - <char*>&_s, sizeof(_s.estate)),
    ("storage", "u1", (SEATS, 4), <char*>&_s.storage - <char*>&_s, sizeof(_s.storage)),
    ("cities", "u1", (SEATS, NO_CITY + 1), <char*>&_s.cities - <char*>&_s, sizeof(_s.cities)),
    ("slots", "u1", (SLOTS,), <char*>&_s.slots - <char*>&_s, sizeof(_s.slots)),
    ("dice", "u1", (SEATS, 2), <char*>&_s.dice - <char*>&_s, sizeof(_s.dice)),
    ("track", "u1", (SEATS,), <char*>&_s.track - <char*>&_s, sizeof(_s.track)),
    ("order", "u1", (SEATS,), <char*>&_s.order - <char*>&_s, sizeof(_s.order)),
    ("next_order", "u1", (SEATS,), <char*>&_s.next_order - <char*>&_s, sizeof(_s.next_order)),
    ("large", "u1", (SEATS,), <char*>&_s.large - <char*>&_s, sizeof(_s.large)),
    ("small", "u1", (SEATS,), <char*>&_s.small - <char*>&_s, sizeof(_s.small)),
    ("stage", "u1", (), <char*>&_s.stage - <char*>&_s, sizeof(_s.stage)),
    ("phase", "u1", (), <char*>&_s.phase - <char*>&_s, sizeof(_s.phase)),
    ("round", "u1", (), <char*>&_s.round - <char*>&_s, sizeof(_s.round)),
    ("turn", "u1", (), <char*>&_s.turn - <char*>&_s, sizeof(_s.turn)),
    ("dice_left", "u1", (), <char*>&_s.dice_left - <char*>&_s, sizeof(_s.dice_left)),
    ("bought", "u1", (), <char*>&_s.bought - <char*>&_s, sizeof(_s.bought)),
    ("backs_known", "u1", (), <char*>&_s.backs_known - <char*>&_s, sizeof(_s.backs_known)),
    ("goods_coming", "u1", (), <char*>&_s.goods_coming - <char*>&_s, sizeof(_s.goods_coming)),
    ("goods_to_come", "u1", (ROUNDS,), <char*>&_s.goods_to_come - <char*>&_s, sizeof(_s.goods_to_come)),
    ("plain", "u1", (3,), <char*>&_s.plain - <char*>&_s, sizeof(_s.plain)),
    ("stack_size", "u1", (4,), <char*>&_s.stack_size - <char*>&_s, sizeof(_s.stack_size)),
    ("buildings", "u1", (40,), <char*>&_s.buildings - <char*>&_s, sizeof(_s.buildings)),
    ("animals", "u1", (20,), <char*>&_s.animals - <char*>&_s, sizeof(_s.animals)),
    ("monastery_tiles", "u1", (20,), <char*>&_s.monastery_tiles - <char*>&_s, sizeof(_s.monastery_tiles)),
    ("black", "u1", (40,), <char*>&_s.black - <char*>&_s, sizeof(_s.black)),
    ("goods_size", "u1", (), <char*>&_s.goods_size - <char*>&_s, sizeof(_s.goods_size)),
    ("hidden_goods", "u1", (42,), <char*>&_s.hidden_goods - <char*>&_s, sizeof(_s.hidden_goods)),
]

STATE_DTYPE = np.dtype(
    {
        "names": [field[0] for field in _FIELDS],
        "formats": [(field[1], field[2]) for field in _FIELDS],
        "offsets": [field[3] for field in _FIELDS],
        "itemsize": sizeof(BgState),
    }
)

for _name, _, _, _offset, _bytes in _FIELDS:
    if STATE_DTYPE.fields[_name][0].itemsize != _bytes:
        raise ImportError(f"the packed field {_name} has {_bytes} bytes in C and not in Python")
if len(_FIELDS) != len(STATE_DTYPE.names) or sum(f[4] for f in _FIELDS) > sizeof(BgState):
    raise ImportError("the packed state's fields in C and in Python differ")
