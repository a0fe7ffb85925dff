/** The CSRF token of a session: read before the first change, and again when the server does not take it any more. */

/** What the server answers for a token that is not that of the session, as after a login. */
export const STALE = 'SVC_SEC_CSRF'

export class CsrfToken {
  readonly #read: () => Promise<Response>
  #token: Promise<string | null> | null = null

  /** @param read the request that answers `{ csrfToken }` */
  constructor(read: () => Promise<Response>) {
    this.#read = read
  }

  /** `null` without a session; asked again at the next change. */
  async get(): Promise<string | null> {
    this.#token ??= this.#ask()
    const token = await this.#token
    if (token === null) this.forget()
    return token
  }

  forget(): void {
    this.#token = null
  }

  async #ask(): Promise<string | null> {
    try {
      const response = await this.#read()
      const { csrfToken } = (response.ok ? await response.json() : {}) as { csrfToken?: string }
      return csrfToken ?? null
    } catch {
      // The change itself says what is wrong.
      return null
    }
  }
}
