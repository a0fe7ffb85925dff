/** What ids look like on a database, and those of most: UUIDs. Rows carry ids as text, whatever the database keeps. */
import { randomFillSync } from 'node:crypto'

export interface IdForm {
  /** For messages: `a UUID, such as 0190...`. */
  readonly description: string
  /** A new id; later ids sort after earlier ones. */
  generate(): string
  /** Whether a text is an id of this form, spelt the one way rows carry it. */
  accepts(id: string): boolean
}

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const BYTES_AHEAD = 16 * 128
const COUNTER_LIMIT = 0x1000
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Any UUID in lower case is accepted. Made are those of version 7 (RFC 9562): 48 bits of time, a counter, and random
 * bits. One generator gives ids that sort as they were made, also when many are made in a millisecond or its clock
 * steps back.
 */
export class UuidIds implements IdForm {
  readonly description = 'a UUID in lower case'
  readonly #clock: { now(): number }
  /** Random bytes are drawn ahead: one call to the system for 128 ids. */
  readonly #random = new Uint8Array(BYTES_AHEAD)
  #used = BYTES_AHEAD
  #time = 0
  /** The time, and the version of the id. */
  #timeText = '00000000-0000-7'
  #counter = 0

  constructor(clock: { now(): number }) {
    this.#clock = clock
  }

  accepts(id: string): boolean {
    return FORM.test(id)
  }

  generate(): string {
    this.#advance()
    const counter = this.#counter.toString(16).padStart(3, '0')
    const from = this.#drawn()
    const random = (index: number) => HEX[this.#random[from + index] ?? 0] ?? ''
    const variant = HEX[((this.#random[from] ?? 0) & 0x3f) | 0x80] ?? ''
    const tail = `${random(2)}${random(3)}${random(4)}${random(5)}${random(6)}${random(7)}`
    return `${this.#timeText}${counter}-${variant}${random(1)}-${tail}`
  }

  /** The counter carries into the time, as RFC 9562 6.2 allows, so that the order holds beyond 4096 ids a millisecond. */
  #advance(): void {
    const now = this.#clock.now()
    if (now <= this.#time) {
      this.#counter += 1
      if (this.#counter < COUNTER_LIMIT) return
    }
    this.#time = Math.max(now, this.#time + 1)
    this.#counter = 0
    const time = this.#time.toString(16).padStart(12, '0')
    this.#timeText = `${time.slice(0, 8)}-${time.slice(8)}-7`
  }

  #drawn(): number {
    if (this.#used + 8 > BYTES_AHEAD) {
      randomFillSync(this.#random)
      this.#used = 0
    }
    const from = this.#used
    this.#used += 8
    return from
  }
}
