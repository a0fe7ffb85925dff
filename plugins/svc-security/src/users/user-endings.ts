/**
 * Everything that lets a user in and outlives a request: each kind of credential adds how it ends, and a change of the
 * password, a reset, a lock and a deletion end them all. What ended stays so, whatever the user may do later.
 */

/** That everything ends which lets one user in. */
export interface Ending {
  /** Of the user whose credentials end. */
  readonly identifier: string
  /** As the journal shows it: `password`, `locked`, `deleted`, or a word of the application. */
  readonly reason: string
  /** Reference of the one session that goes on, that of the user who asked. */
  readonly keepSession?: string | undefined
  /** Second factors, passkeys and links to accounts at providers go, too. */
  readonly factors?: boolean | undefined
}

/** `fastify.userEndings`: what ends with the credentials of a user. */
export class UserEndings {
  readonly #kinds: Array<(ending: Ending) => Promise<unknown>> = []

  /** Called while the application boots. @param end rejects where it cannot end now: the change then answers 503 */
  add(end: (ending: Ending) => Promise<unknown>): void {
    this.#kinds.push(end)
  }

  /** A kind that cannot end now keeps no other from ending; it then rejects, as its store does. Repeating it is safe. */
  async endEverything(ending: Ending): Promise<void> {
    const ended = await Promise.allSettled(this.#kinds.map((end) => end(ending)))
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
}
