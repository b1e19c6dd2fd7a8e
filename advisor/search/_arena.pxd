"""The memory of the trees: edges in blocks, nodes, and the nodes known by their position.

Owns the arena: plain records in growing arrays with int32 links, bounded in bytes. Where the bound
is reached `full` is set and nothing grows any more; what is there stays usable.
"""

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memmove, memset

from advisor._fastsim cimport action_t

cdef enum:
    CLASSES = 16  # blocks of 1, 2, 4, ... edges


cdef struct Edge:  # an action at a node
    double total  # utilities of the seat that chose it, added up
    uint32_t action
    uint32_t visits
    uint32_t available  # how often it was legal when its node was passed
    int32_t node  # where it leads, -1: not yet


cdef struct Node:  # a decision: its edges in the order of their actions
    double total  # utilities of the observer, where the position is certain
    uint32_t visits
    int32_t first
    uint16_t count
    uint16_t room  # size class of the block of edges


cdef struct Known:  # a node by the fingerprint of its position, which is never 0
    uint64_t key
    int32_t node


cdef struct Arena:
    Edge* edges
    Node* nodes
    Known* known
    int64_t edges_used
    int64_t edges_reserved
    int64_t nodes_used
    int64_t nodes_reserved
    int64_t known_used
    int64_t known_reserved  # a power of two
    int64_t limit  # bytes
    int64_t live  # edges in use
    int32_t free_blocks[CLASSES]  # recycled blocks of edges by size class, linked through `node`
    bint full


cdef inline int64_t arena_bytes(const Arena* arena) noexcept nogil:
    """Return the bytes in use."""
    return (
        arena.edges_used * <int64_t>sizeof(Edge)
        + arena.nodes_used * <int64_t>sizeof(Node)
        + arena.known_reserved * <int64_t>sizeof(Known)
    )


cdef inline int64_t bytes_left(const Arena* arena) noexcept nogil:
    """Return how many more bytes may be reserved."""
    return (
        arena.limit
        - arena.edges_reserved * <int64_t>sizeof(Edge)
        - arena.nodes_reserved * <int64_t>sizeof(Node)
        - arena.known_reserved * <int64_t>sizeof(Known)
    )


cdef inline bint clear_arena(Arena* arena, int64_t limit) noexcept nogil:
    """Make an empty arena; False where memory has run out."""
    arena.limit = limit
    arena.edges_reserved = 1024
    arena.nodes_reserved = 1024
    arena.known_reserved = 256
    arena.edges = <Edge*>malloc(arena.edges_reserved * sizeof(Edge))
    arena.nodes = <Node*>malloc(arena.nodes_reserved * sizeof(Node))
    arena.known = <Known*>calloc(arena.known_reserved, sizeof(Known))
    if arena.edges == NULL or arena.nodes == NULL or arena.known == NULL:
        return False
    empty_arena(arena)
    return True


cdef inline void empty_arena(Arena* arena) noexcept nogil:
    """Forget everything and keep the memory."""
    cdef int i
    arena.edges_used = 0
    arena.nodes_used = 0
    arena.known_used = 0
    arena.live = 0
    arena.full = False
    memset(arena.known, 0, arena.known_reserved * sizeof(Known))
    for i in range(CLASSES):
        arena.free_blocks[i] = -1


cdef inline void free_arena(Arena* arena) noexcept nogil:
    free(arena.edges)
    free(arena.nodes)
    free(arena.known)


cdef inline int64_t larger(Arena* arena, int64_t reserved, int64_t size) noexcept nogil:
    """Return a greater number of records of a size to reserve, 0 where the bound forbids any."""
    cdef int64_t room = bytes_left(arena)
    cdef int64_t more = reserved if reserved * size <= room else room // size
    if more <= CLASSES or reserved + more > 0x7FFFFFFF:
        arena.full = True
        return 0
    return reserved + more


cdef inline int32_t open_node(Arena* arena) noexcept nogil:
    """Return a new node without edges, -1 where memory has run out."""
    cdef int64_t reserved
    cdef Node* moved
    if arena.nodes_used == arena.nodes_reserved:
        reserved = larger(arena, arena.nodes_reserved, sizeof(Node))
        if reserved == 0:
            return -1
        moved = <Node*>realloc(arena.nodes, reserved * sizeof(Node))
        if moved == NULL:
            arena.full = True
            return -1
        arena.nodes = moved
        arena.nodes_reserved = reserved
    arena.nodes[arena.nodes_used].total = 0.0
    arena.nodes[arena.nodes_used].visits = 0
    arena.nodes[arena.nodes_used].first = 0
    arena.nodes[arena.nodes_used].count = 0
    arena.nodes[arena.nodes_used].room = 0
    arena.nodes_used += 1
    return <int32_t>(arena.nodes_used - 1)


cdef inline Known* place_of(Known* known, int64_t reserved, uint64_t key) noexcept nogil:
    """Return where a fingerprint is or would be."""
    cdef uint64_t at = key & <uint64_t>(reserved - 1)
    while known[at].key and known[at].key != key:
        at = (at + 1) & <uint64_t>(reserved - 1)
    return &known[at]


cdef inline int32_t known_node(const Arena* arena, uint64_t key) noexcept nogil:
    """Return the node of a position, -1 where it was not met."""
    cdef const Known* place = place_of(arena.known, arena.known_reserved, key | (key == 0))
    return place.node if place.key else -1


cdef inline int32_t node_of(Arena* arena, uint64_t key) noexcept nogil:
    """Return the node of a position, new where it was not met before; -1: memory has run out."""
    cdef Known* place
    cdef Known* moved
    cdef int64_t i
    key |= key == 0
    place = place_of(arena.known, arena.known_reserved, key)
    if place.key:
        return place.node
    if 4 * arena.known_used >= 3 * arena.known_reserved:
        if 2 * arena.known_reserved * <int64_t>sizeof(Known) > bytes_left(arena):
            arena.full = True
            return -1
        moved = <Known*>calloc(2 * arena.known_reserved, sizeof(Known))
        if moved == NULL:
            arena.full = True
            return -1
        for i in range(arena.known_reserved):
            if arena.known[i].key:
                place_of(moved, 2 * arena.known_reserved, arena.known[i].key)[0] = arena.known[i]
        free(arena.known)
        arena.known = moved
        arena.known_reserved *= 2
        place = place_of(arena.known, arena.known_reserved, key)
    place.node = open_node(arena)
    if place.node < 0:
        return -1
    place.key = key
    arena.known_used += 1
    return place.node


cdef inline int32_t allocate(Arena* arena, int size_class) noexcept nogil:
    """Return a block of 2**size_class edges, -1 where memory has run out."""
    cdef int32_t block = arena.free_blocks[size_class]
    cdef int64_t size = <int64_t>1 << size_class, reserved
    cdef Edge* moved
    if block >= 0:
        arena.free_blocks[size_class] = arena.edges[block].node
        return block
    while arena.edges_used + size > arena.edges_reserved:
        reserved = larger(arena, arena.edges_reserved, sizeof(Edge))
        if reserved == 0:
            return -1
        moved = <Edge*>realloc(arena.edges, reserved * sizeof(Edge))
        if moved == NULL:
            arena.full = True
            return -1
        arena.edges = moved
        arena.edges_reserved = reserved
    block = <int32_t>arena.edges_used
    arena.edges_used += size
    return block


cdef inline int32_t add_edge(Arena* arena, int32_t at, action_t action) noexcept nogil:
    """Return a new edge of a node, put where its action belongs; -1 where memory has run out."""
    cdef Node* node = &arena.nodes[at]
    cdef int32_t block
    cdef int size_class, place = 0
    cdef Edge* edge
    if node.count == 0 or node.count == 1 << node.room:
        size_class = 0 if node.count == 0 else node.room + 1
        if size_class >= CLASSES:
            return -1
        block = allocate(arena, size_class)
        if block < 0:
            return -1
        if node.count:
            memcpy(&arena.edges[block], &arena.edges[node.first], node.count * sizeof(Edge))
            arena.edges[node.first].node = arena.free_blocks[node.room]
            arena.free_blocks[node.room] = node.first
        node.first = block
        node.room = size_class
    while place < node.count and arena.edges[node.first + place].action < action:
        place += 1
    edge = &arena.edges[node.first + place]
    memmove(edge + 1, edge, (node.count - place) * sizeof(Edge))
    node.count += 1
    arena.live += 1
    edge.total = 0.0
    edge.action = action
    edge.visits = 0
    edge.available = 1
    edge.node = -1
    return node.first + place
