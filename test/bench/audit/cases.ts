/** What is compared: the ring with a ready-made event, and the journal without and with somebody who listens. */
import { channel } from 'node:diagnostics_channel'
import Fastify from 'fastify'
import { AUDIT_CHANNEL, AuditMemory, Journal } from 'svc-audit'
import { type AuditEvent, type AuditRecord, systemClock } from 'svc-kernel'
import { RingBuffer } from 'svc-stores/plugin'

export interface Case {
  readonly name: string
  /** Records event number `index`. */
  readonly work: (index: number) => void
}

const NO_METADATA = Object.freeze({})

/** Events of a thousand callers. Made beforehand: what a producer allocates is not the journal's. */
function records(more: Partial<AuditRecord>): AuditRecord[] {
  return Array.from({ length: 1000 }, (_, index) => ({
    category: 'token',
    action: 'token.reuse_detected',
    outcome: 'denied',
    actor: `user-${index}`,
    resource: 'ROLE_ADMIN',
    reason: 'abstain',
    ip: '192.0.2.10',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    requestId: `req-${index}`,
    ...more
  }))
}

const plain = records({})
const repeated = records({ category: 'authz', action: 'access.denied', actor: 'user' })
const many = records({ category: 'authz', action: 'access.denied' })
const detailed = records({ metadata: { voter: 'role', detail: null } })

function pick(records: readonly AuditRecord[], index: number): AuditRecord {
  return records[index % 1000] as AuditRecord
}

function journal(): Journal {
  const events = new AuditMemory()
  return new Journal({ log: Fastify().log, clock: systemClock, events, writer: null, verbose: false })
}

function bareRing(): Case {
  const ring = new RingBuffer<AuditEvent>(10_000)
  const work = (index: number) => {
    const { category, action, outcome, actor, resource, reason, ip, userAgent, requestId } = pick(plain, index)
    ring.push({
      id: `aud_bare-ring-0_${1_000_000_000 + index}`,
      ts: Date.now(),
      category,
      action,
      outcome,
      actor: actor ?? null,
      resource: resource ?? null,
      reason: reason ?? null,
      ip: ip ?? null,
      userAgent: userAgent ?? null,
      requestId: requestId ?? null,
      metadata: NO_METADATA
    })
  }
  return { name: 'bare ring buffer', work }
}

function alone(): Case {
  const silent = journal()
  return { name: 'record(), nobody listens', work: (index) => silent.record(pick(plain, index)) }
}

/** Memory counts them. */
function counted(): Case {
  const silent = journal()
  return { name: 'refusals that one caller repeats', work: (index) => silent.record(pick(repeated, index)) }
}

/** Each caller has a run. */
function countedByCaller(): Case {
  const silent = journal()
  return { name: 'refusals that a thousand callers repeat', work: (index) => silent.record(pick(many, index)) }
}

function withMetadata(): Case {
  const silent = journal()
  return { name: 'record() with two keys of metadata', work: (index) => silent.record(pick(detailed, index)) }
}

function heard(): Case {
  const told = journal()
  const last = new RingBuffer<AuditEvent>(1)
  told.subscribe((event) => last.push(event))
  return { name: 'record(), one listener', work: (index) => told.record(pick(plain, index)) }
}

export function cases(): Case[] {
  if (channel(AUDIT_CHANNEL).hasSubscribers) throw new Error('somebody listens to the diagnostics channel')
  return [bareRing(), alone(), counted(), countedByCaller(), withMetadata(), heard()]
}
