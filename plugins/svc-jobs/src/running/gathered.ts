/** Answers questions that are asked in one turn of the event loop together. */

interface Question<Key, Answer> {
  readonly key: Key
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** How many go into one call. */
const AT_ONCE = 100

export class Gathered<Key, Answer> {
  readonly #ask: (keys: readonly Key[]) => Promise<readonly Answer[]>
  #waiting: Question<Key, Answer>[] = []

  /** @param ask answers in the order of the keys */
  constructor(ask: (keys: readonly Key[]) => Promise<readonly Answer[]>) {
    this.#ask = ask
  }

  get(key: Key): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ key, resolve, reject }) === 1) queueMicrotask(() => this.#flush())
    })
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (let at = 0; at < waiting.length; at += AT_ONCE) void this.#answer(waiting.slice(at, at + AT_ONCE))
  }

  async #answer(questions: readonly Question<Key, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(questions.map(({ key }) => key))
      for (const [place, { resolve }] of questions.entries()) resolve(answers[place] as Answer)
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
  }
}
