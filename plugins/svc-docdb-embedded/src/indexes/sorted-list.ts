/** A sorted list in pieces: an insertion moves at most one piece, and a search is binary. */

const PIECE = 512

export class SortedList<Item> {
  readonly #compare: (a: Item, b: Item) => number
  #pieces: Item[][] = []

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare
  }

  /** An item that compares as 0 to one that is there is not added again. */
  add(item: Item): void {
    const notBefore = (other: Item) => this.#compare(other, item) >= 0
    const at = Math.min(this.#pieceOf(notBefore), Math.max(this.#pieces.length - 1, 0))
    const piece = this.#pieces[at]
    if (piece === undefined) {
      this.#pieces.push([item])
      return
    }
    const index = firstWhere(piece, notBefore)
    const there = piece[index]
    if (there !== undefined && this.#compare(there, item) === 0) return
    piece.splice(index, 0, item)
    if (piece.length > PIECE) this.#pieces.splice(at, 1, piece.slice(0, PIECE / 2), piece.slice(PIECE / 2))
  }

  remove(item: Item): void {
    const notBefore = (other: Item) => this.#compare(other, item) >= 0
    const at = this.#pieceOf(notBefore)
    const piece = this.#pieces[at]
    if (piece === undefined) return
    const index = firstWhere(piece, notBefore)
    const there = piece[index]
    if (there === undefined || this.#compare(there, item) !== 0) return
    piece.splice(index, 1)
    if (piece.length === 0) this.#pieces.splice(at, 1)
  }

  /** Items from the first where `begins` holds to the last before `ends` holds; both must stay true once they are. */
  *range(begins: (item: Item) => boolean, ends: (item: Item) => boolean): Generator<Item> {
    let index: number | null = null
    for (let at = this.#pieceOf(begins); at < this.#pieces.length; at++) {
      const piece = this.#pieces[at] ?? []
      index ??= firstWhere(piece, begins)
      for (const item of piece.slice(index)) {
        if (ends(item)) return
        yield item
      }
      index = 0
    }
  }

  /** The same items, last first. */
  *reversed(begins: (item: Item) => boolean, ends: (item: Item) => boolean): Generator<Item> {
    for (let at = Math.min(this.#pieceOf(ends), this.#pieces.length - 1); at >= 0; at--) {
      const piece = this.#pieces[at] ?? []
      for (const item of piece.slice(0, firstWhere(piece, ends)).reverse()) {
        if (!begins(item)) return
        yield item
      }
    }
  }

  /** The first piece whose last item satisfies `holds`. */
  #pieceOf(holds: (item: Item) => boolean): number {
    return firstWhere(this.#pieces, (piece) => {
      const last = piece.at(-1)
      return last !== undefined && holds(last)
    })
  }
}

/** Binary search: the first index where `holds` is true; the length when there is none. */
function firstWhere<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) high = middle
    else low = middle + 1
  }
  return low
}
