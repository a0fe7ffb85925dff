/** The audit journal as other plugins see it: `fastify.audit`, present when svc-audit is registered. */

/** What a producer reports; the journal adds `id` and `ts`. Never holds a credential. */
export interface AuditRecord {
  readonly category: string
  readonly action: string
  readonly outcome: 'success' | 'failure' | 'denied'
  readonly actor?: string | null
  readonly resource?: string | null
  readonly reason?: string | null
  readonly ip?: string | null
  readonly userAgent?: string | null
  readonly requestId?: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A recorded event, whole and frozen: what the journal keeps and hands on. */
export interface AuditEvent {
  readonly id: string
  /** Epoch ms. */
  readonly ts: number
  readonly category: string
  readonly action: string
  readonly outcome: 'success' | 'failure' | 'denied'
  readonly actor: string | null
  readonly resource: string | null
  readonly reason: string | null
  readonly ip: string | null
  readonly userAgent: string | null
  readonly requestId: string | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** What is known of an action before it happens. */
export interface AuditCatalogueEntry {
  readonly category: string
  readonly outcomes: readonly AuditRecord['outcome'][]
  /** When it is recorded, as half a sentence. */
  readonly when: string
  /** A refusal that callers can cause as often as they ask, and whose name it carries: one that was proven, or as given. */
  readonly provoked?: 'proven' | 'submitted'
}

/** Epoch ms, inclusive. */
export interface AuditRange {
  readonly since?: number
  readonly until?: number
}

export interface AuditListing {
  /** Newest first. */
  readonly items: readonly AuditEvent[]
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

/** The audit journal as other plugins see it: svc-audit implements it as `fastify.audit`. */
export interface AuditPort {
  /** Every action that can be recorded, by name: a closed list. Absent from a journal that takes any action. */
  readonly catalogue?: ReadonlyMap<string, AuditCatalogueEntry>
  /** Synchronous; never throws into its caller. */
  record(event: AuditRecord): void
  /**
   * Counts a refusal that its caller repeats, where nobody is to get the event: then none needs to be made. Absent from
   * a journal that counts nothing.
   *
   * @param actor default: nobody is named @returns `false` where there is an event to be recorded
   */
  countRepeated?(action: string, ip: string, actor?: string | null): boolean
  /**
   * Calls `listener` with each event, in the caller's stack: a listener hands its work on. `flush` stores what it has
   * taken until now; who waits for the journal waits for it too.
   *
   * @returns unsubscribe
   */
  subscribe(listener: (event: AuditEvent) => void, options?: { readonly flush?: () => Promise<void> }): () => void
  /** Resolves when all that was recorded until now is stored, with what subscribers store of it. Rejects (503) where it cannot be. */
  flushed(): Promise<void>
  /**
   * For who answers a request: what to wait for before the answer leaves; `null` for nothing. Rejects (503). Absent from a
   * journal for which no answer waits.
   */
  storedFor?(request: object): Promise<void> | null
  /** A page of what the journal keeps. Absent from a journal that keeps nothing to be asked for. */
  list?(range: AuditRange, page: { readonly limit: number; readonly cursor?: string }): Promise<AuditListing>
  /** The newest events in memory, newest first. */
  recent(count: number): readonly AuditEvent[]
}

/** The compact form of an audit event for an alert: what happened, by whom, how it ended and why. */
export interface AuditAlert {
  /** Of the event: the journal lists the whole of it under this id. */
  readonly id: string
  /** The audit action. */
  readonly type: string
  readonly data: Pick<AuditEvent, 'actor' | 'outcome' | 'reason'>
}

/** Leaves out what an alert needs not show: addresses, user agents, metadata. */
export function auditAlert({ id, action, actor, outcome, reason }: AuditEvent): AuditAlert {
  return { id, type: action, data: { actor, outcome, reason } }
}
