/**
 * Answers questions of many callers together. One call is under way at a time; what is asked meanwhile goes into the next
 * one, so that a busy database is asked less often and an idle one at once.
 */

interface Question<Key, Answer> {
  readonly key: Key
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** How many go into one call. */
const AT_ONCE = 200

export class Gathered<Key, Answer> {
  readonly #ask: (keys: readonly Key[]) => Promise<readonly Answer[]>
  #waiting: Question<Key, Answer>[] = []
  #asking = false

  /** @param ask answers in the order of the keys */
  constructor(ask: (keys: readonly Key[]) => Promise<readonly Answer[]>) {
    this.#ask = ask
  }

  get(key: Key): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject })
      if (this.#asking) return
      this.#asking = true
      queueMicrotask(() => void this.#answer())
    })
  }

  async #answer(): Promise<void> {
    while (this.#waiting.length > 0) {
      const questions = this.#waiting.splice(0, AT_ONCE)
      try {
        const answers = await this.#ask(questions.map(({ key }) => key))
        for (const [place, { resolve }] of questions.entries()) resolve(answers[place] as Answer)
      } catch (error) {
        for (const { reject } of questions) reject(error)
      }
    }
    this.#asking = false
  }
}
