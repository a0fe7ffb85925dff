/** A journal on a clock that stands still, with the lines it logs. */
import type { FastifyBaseLogger } from 'fastify'
import type { AuditRecord } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import { Journal, type JournalParts } from '../../src/journal/journal.ts'
import { AuditMemory } from '../../src/storage/audit-memory.ts'

export interface LogLine {
  readonly level: string
  readonly fields: Record<string, unknown>
  readonly text: string
}

export function listeningLog(): { log: FastifyBaseLogger; lines: LogLine[] } {
  const lines: LogLine[] = []
  const take = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, fields: { ...fields }, text })
  const log = Object.fromEntries(['debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, take(level)]))
  return { log: log as unknown as FastifyBaseLogger, lines }
}

export function aJournal(parts: Partial<JournalParts> = {}) {
  const { log, lines } = listeningLog()
  const clock = new ManualClock()
  const events = new AuditMemory()
  const journal = new Journal({ log, clock, events, writer: null, verbose: true, ...parts })
  return { journal, lines, clock }
}

export function aDenial(given: Partial<AuditRecord> = {}): AuditRecord {
  return { category: 'authz', action: 'access.denied', outcome: 'denied', actor: 'alice', resource: 'ROLE_X', ...given }
}
