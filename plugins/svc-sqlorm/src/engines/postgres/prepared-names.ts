/**
 * Statements that PostgreSQL keeps prepared, by text: those that come again, such
 * as the compiled ones of repositories. Bounded, as each connection keeps its own
 * copy; what comes too late is sent as it is.
 */

const KEPT = 200

export class PreparedNames {
  readonly #names = new Map<string, string>()

  add(text: string): void {
    if (this.#names.size < KEPT && !this.#names.has(text)) this.#names.set(text, `svc_${this.#names.size + 1}`)
  }

  get(text: string): string | undefined {
    return this.#names.get(text)
  }
}
