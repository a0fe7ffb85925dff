/** Events on their way into a durable store. A full queue keeps its oldest events and counts what it drops (memory keeps the newest). */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditEvent, Clock } from 'svc-kernel'
import { BatchWriter } from 'svc-stores/plugin'
import { AppendTimeout, AuditUnstored } from '../errors.ts'
import type { AuditStore } from '../storage/audit-store.ts'

export interface WriterParts {
  readonly store: Pick<AuditStore, 'append'>
  readonly clock: Clock
  readonly log: FastifyBaseLogger
}

export class StoreWriter extends BatchWriter<AuditEvent> {
  constructor({ store, clock, log }: WriterParts) {
    super({
      clock,
      log,
      write: (batch) => store.append(batch),
      batchSize: 200,
      maxWaiting: 10_000,
      closeDeadlineMs: 5_000,
      timeout: (ms) => new AppendTimeout(String(ms)),
      unwritten: () => new AuditUnstored(),
      failure: { code: 'SVC_AUDIT_STORE', text: 'the audit store could not write events' },
      loss: {
        code: 'SVC_AUDIT_DROPPED',
        begins: 'the buffer of audit events is full: new events are dropped',
        over: 'audit events were dropped'
      }
    })
  }
}
