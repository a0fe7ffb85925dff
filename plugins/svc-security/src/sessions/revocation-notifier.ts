/**
 * Notifies who holds on to a session or a token, such as an open WebSocket, that it is over: as
 * soon as it ends in this process. What ends elsewhere is seen at the next look.
 */

interface Watch {
  readonly ref: string
  readonly user: string | null
  readonly end: () => void
}

export class RevocationNotifier {
  readonly #watches = new Map<string, Set<Watch>>()

  /** @returns stops watching */
  watch(ref: string, user: string | null, end: () => void): () => void {
    const watches = this.#watches.get(ref) ?? new Set()
    const watch = { ref, user, end }
    this.#watches.set(ref, watches.add(watch))
    return () => {
      watches.delete(watch)
      if (watches.size === 0 && this.#watches.get(ref) === watches) this.#watches.delete(ref)
    }
  }

  /** The session of this reference is over. */
  notify(ref: string): void {
    for (const { end } of [...(this.#watches.get(ref) ?? [])]) end()
  }

  /** Every session of a user is over, but one where given. */
  notifyUser(user: string, exceptRef?: string): void {
    const watches = [...this.#watches.values()].flatMap((each) => [...each])
    for (const watch of watches) if (watch.user === user && watch.ref !== exceptRef) watch.end()
  }
}
