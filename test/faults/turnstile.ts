/** Holds work back until a test opens it, and tells when the first has arrived. */

export class Turnstile {
  /** Resolves once somebody wants to pass. */
  readonly entered: Promise<void>
  /** How many have wanted to pass. */
  passed = 0
  #arrive: () => void = () => undefined
  #open: () => void = () => undefined
  readonly #opened: Promise<void>

  constructor() {
    this.entered = new Promise((resolve) => {
      this.#arrive = resolve
    })
    this.#opened = new Promise((resolve) => {
      this.#open = resolve
    })
  }

  async pass(): Promise<void> {
    this.passed += 1
    this.#arrive()
    await this.#opened
  }

  open(): void {
    this.#open()
  }
}
