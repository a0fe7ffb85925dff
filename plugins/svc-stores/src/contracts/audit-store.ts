/** The audit journal at rest: append only, newest first, read by cursor. */
import type { AuditEvent } from 'svc-kernel'

export type { AuditEvent } from 'svc-kernel'

export interface AuditFilter {
  readonly category?: string
  readonly action?: string
  readonly outcome?: string
  readonly actor?: string
  /** Epoch ms, inclusive. */
  readonly since?: number
  /** Epoch ms, inclusive. */
  readonly until?: number
}

export interface AuditPageQuery {
  readonly limit: number
  /** `nextCursor` of the page before. */
  readonly cursor?: string
}

export interface AuditPage {
  readonly items: readonly AuditEvent[]
  readonly limit: number
  readonly hasNext: boolean
  /** `null` on the last page. */
  readonly nextCursor: string | null
}

export interface AuditStore {
  /** Appends a batch. An event whose id is stored already is left as it is, so that a batch can be sent again. */
  append(events: readonly AuditEvent[]): Promise<void>
  /** By time, then by id, both descending: the ids of one journal ascend, so the newest comes first within a millisecond too. */
  list(filter: AuditFilter, page: AuditPageQuery): Promise<AuditPage>
  /** Removes events older than the retention; 0 keeps everything. @returns how many */
  purge(retentionDays: number): Promise<number>
}
