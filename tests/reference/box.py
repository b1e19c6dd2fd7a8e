"""What lies in the box: every printed fact of the base game as a plain table.

This module owns boards, dice of the cells, depot slots, tile copies by back, goods and points. It
reads no file and decides nothing; rules live in the other modules. Pages: "2011 p. N" and
"2019 p. N" are the pages of the two rulebooks.
"""

PHASES = ("A", "B", "C", "D", "E")
ROUNDS = 5
DEPOTS = (1, 2, 3, 4, 5, 6)  # a ring: 6 and 1 are neighbours
STORAGE_SPACES = 3
GOODS_SPACES = 3  # colours of unsold goods a player can hold
PURCHASE_PRICE = 2
START_SILVER = 1
START_GOODS = 3

# The six colours of cells and hex tiles, with the letters used in the maps below.
COLOURS = {
    "B": "building",
    "A": "animal",
    "K": "monastery",
    "S": "ship",
    "C": "castle",
    "M": "mine",
}

# Goods in the order of the die: 1 turquoise .. 6 orange (2011 goods tiles).
GOODS = ("turquoise", "violet", "pink", "red", "brown", "orange")
GOODS_PER_COLOUR = 7

# Rows a..g of the estate, top to bottom; the die value printed on each cell, equal on all boards.
ROW_NAMES = "abcdefg"
DIE_ROWS = ("6543", "21654", "543123", "6126541", "254312", "61256", "3413")

# Colours of the cells by the board numbers of the 2019 box.
BOARD_ROWS = {
    1: ("ACCK", "AACKB", "AABKBB", "SSSCSSS", "BBMBBA", "BMKBB", "MKKB"),
    2: ("KKKC", "BBSAM", "MBBSAS", "CBSCKBS", "KSBAKB", "BBABM", "AABC"),
    3: ("AAAA", "SSCSS", "BMKKSB", "BBKCKBB", "BBKKBB", "CAMMC", "BASB"),
    4: ("CABS", "AABSS", "BBBSCM", "AAAKKMS", "BCKBBB", "BMBKK", "SBKC"),
    5: ("ABBS", "AABMM", "BCKSSS", "BBAKCBB", "KCAKSB", "BABCS", "KKBM"),
    6: ("KKCS", "KBBSB", "AAMSBB", "KBBCSBB", "KBBMSB", "KMAAS", "CAAC"),
    7: ("KCCS", "KAAAS", "SMBBMA", "SKBBBAB", "BKBBAB", "BSMKB", "SCCK"),
    8: ("BBSB", "SCKCB", "BKMKKS", "BAKMAKB", "SAAAMB", "BCACS", "BSBB"),
    9: ("BBCK", "BBAAS", "BBAASS", "CKKMSCK", "SSKMBA", "KBBBA", "MCBB"),
    10: ("SBAC", "ASBAB", "AAABKB", "BBBBBKC", "KKMKMS", "BBMKS", "CSSC"),
}

# The number printed on a board, by edition, and the board of the table above it stands for.
# The 2011 box has no new board 2; its own board 2 is number 10 in the 2019 box.
BOARDS_BY_EDITION = {
    2011: {1: 1, 2: 10, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9},
    2019: {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: 10},
}

# Slots of the numbered depots by number of players (2011 p. 3, 2019 pp. 3, 11).
DEPOT_SLOTS = {
    2: {1: "BS", 2: "KC", 3: "AB", 4: "SB", 5: "MK", 6: "BA"},
    3: {1: "BSK", 2: "KCB", 3: "ABS", 4: "SBA", 5: "MKB", 6: "BAC"},
    4: {1: "BSKA", 2: "KCBB", 3: "ABSK", 4: "SBAM", 5: "MKBB", 6: "BACS"},
}
# Three players: in phases B and D the castle slot of depot 6 gets a mine (2011 p. 4, 2019 p. 11).
DEPOT_6_THREE_PLAYERS = {"A": "BAC", "B": "BAM", "C": "BAC", "D": "BAM", "E": "BAC"}
BLACK_SLOTS = {2: 4, 3: 6, 4: 8}

BUILDINGS = (
    "warehouse",
    "watchtower",
    "carpenter",
    "church",
    "market",
    "boarding house",
    "bank",
    "city hall",
)
SPECIES = ("cattle", "sheep", "pig", "chicken")
BLACK_BACKED_MONASTERIES = (7, 12, 14, 15, 24, 25)

# Copies of every hex tile: (with a colour back, with a black back); 164 in all.
TILE_COPIES: dict[str, tuple[int, int]] = {
    "ship": (20, 6),
    "castle": (14, 2),
    "mine": (10, 2),
    "warehouse": (5, 2),
    "watchtower": (5, 2),
    "carpenter": (5, 2),
    "church": (5, 2),
    "market": (5, 2),
    "boarding house": (5, 2),
    "bank": (5, 2),
    "city hall": (5, 2),
}
for _species in SPECIES:
    TILE_COPIES[f"{_species} 2"] = (2, 0)
    TILE_COPIES[f"{_species} 3"] = (2, 1)
    TILE_COPIES[f"{_species} 4"] = (1, 1)
for _number in range(1, 27):
    _black = _number in BLACK_BACKED_MONASTERIES
    TILE_COPIES[f"monastery {_number}"] = (0, 1) if _black else (1, 0)

# The colour of every hex tile.
TILE_COLOUR: dict[str, str] = {}
for _tile in TILE_COPIES:
    _kind = _tile.split()[0]
    if _tile in BUILDINGS:
        TILE_COLOUR[_tile] = "building"
    elif _kind in SPECIES:
        TILE_COLOUR[_tile] = "animal"
    else:
        TILE_COLOUR[_tile] = _kind

# Points.
REGION_POINTS = {1: 1, 2: 3, 3: 6, 4: 10, 5: 15, 6: 21, 7: 28, 8: 36}
PHASE_POINTS = {"A": 10, "B": 8, "C": 6, "D": 4, "E": 2}
LARGE_BONUS = {2: 5, 3: 6, 4: 7}
SMALL_BONUS = {2: 2, 3: 3, 4: 4}
POINTS_PER_SOLD_GOOD = {2: 2, 3: 3, 4: 4}

# Monasteries 16-23 count one kind of building each (2011 p. 11, 2019 p. 10).
MONASTERY_COUNTS_BUILDING = {
    16: "warehouse",
    17: "watchtower",
    18: "carpenter",
    19: "church",
    20: "market",
    21: "boarding house",
    22: "bank",
    23: "city hall",
}
POINTS_PER_SOLD_COLOUR = {2011: 3, 2019: 2}  # monastery 15
POINTS_PER_BONUS_TILE = {2011: 2, 2019: 3}  # monastery 26

# What carpenter, church and market may take from the numbered depots (2011 p. 7, 2019 p. 6).
TAKEN_BY_BUILDING = {
    "carpenter": ("building",),
    "church": ("mine", "monastery", "castle"),
    "market": ("ship", "animal"),
}


def depot_slots(players: int, phase: str) -> dict[int, list[str]]:
    """The colours dealt to each numbered depot in a phase, slot by slot."""
    letters = dict(DEPOT_SLOTS[players])
    if players == 3:
        letters[6] = DEPOT_6_THREE_PLAYERS[phase]
    return {depot: [COLOURS[letter] for letter in letters[depot]] for depot in DEPOTS}
