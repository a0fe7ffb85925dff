/** Callers of this process that want the same name, in the order in which they came. */
export class Turns {
  readonly #lines = new Map<string, (() => void)[]>()

  /** Waits for the callers before. @returns how to let the next one go on; `null` if the wait was aborted */
  async take(name: string, patience: AbortSignal): Promise<(() => void) | null> {
    const line = this.#lines.get(name)
    if (line === undefined) {
      this.#lines.set(name, [])
      return () => this.#next(name)
    }
    if (patience.aborted) return null
    const isMine = await new Promise<boolean>((resolve) => {
      const leave = () => {
        line.splice(line.indexOf(go), 1)
        resolve(false)
      }
      const go = () => {
        patience.removeEventListener('abort', leave)
        resolve(true)
      }
      line.push(go)
      patience.addEventListener('abort', leave, { once: true })
    })
    return isMine ? () => this.#next(name) : null
  }

  #next(name: string): void {
    const next = this.#lines.get(name)?.shift()
    if (next === undefined) this.#lines.delete(name)
    else next()
  }
}
