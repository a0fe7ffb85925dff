/**
 * Answers questions of many callers together. One call is under way at a time; what is asked meanwhile goes into the next
 * one, so that a busy database is asked less often and an idle one at once. Later questions do not
 * wait for a call that takes long: it may wait for a row that another client has locked.
 */

interface Question<Key, Answer> {
  readonly key: Key
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** How many go into one call. */
const AT_ONCE = 200

/** A call that takes longer is waited for no more, ms. */
const LONG_MS = 500

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
      await new Promise<void>((next) => {
        const timer = setTimeout(next, LONG_MS)
        void this.#call(questions).then(() => {
          clearTimeout(timer)
          next()
        })
      })
    }
    this.#asking = false
  }

  async #call(questions: readonly Question<Key, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(questions.map(({ key }) => key))
      for (const [place, { resolve }] of questions.entries()) resolve(answers[place] as Answer)
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }
}
