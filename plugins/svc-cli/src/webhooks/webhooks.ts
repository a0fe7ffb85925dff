/** `svc webhooks`: endpoints and deliveries of a running server, over its admin API. */
import { setTimeout } from 'node:timers/promises'
import type { Deliveries, Endpoints, Recovery, Sent } from 'svc-webhooks/wire'
import { CommandError } from '../errors.ts'
import { print, printJson, textTable } from '../output.ts'
import { AdminClient, type ServerOptions } from './admin-client.ts'
import { ProgressBar } from './progress-bar.ts'
import { untilStopped } from './until-stopped.ts'

type Endpoint = Endpoints['endpoints'][number]
type Delivery = Deliveries['deliveries'][number]

const PAGE = 200
const LOOK_MS = 1_000

export async function listWebhooks(options: ServerOptions): Promise<void> {
  const client = new AdminClient(options)
  const endpoints: Endpoint[] = []
  for (let more = true; more; ) {
    const path = `?limit=${PAGE}&offset=${endpoints.length}`
    const page = await client.ask<Endpoints>('GET', path)
    endpoints.push(...page.endpoints)
    more = page.hasNext && page.endpoints.length > 0
  }
  if (options.json === true) return printJson(endpoints)
  const rows = endpoints.map(({ id, url, enabled, events, failureCount }) => {
    return [id, enabled ? 'enabled' : 'disabled', String(failureCount), events.join(' '), url]
  })
  print(textTable(['ID', 'STATE', 'FAILURES', 'EVENTS', 'URL'], rows))
}

export async function testWebhook(id: string, options: ServerOptions): Promise<void> {
  const sent = await new AdminClient(options).ask<Sent>('POST', `/${encodeURIComponent(id)}/test`)
  if (options.json === true) printJson(sent)
  else print(`sent ${sent.messageId}; npx svc webhooks tail ${id} shows the delivery`)
}

export async function resendWebhook(id: string, messageId: string, options: ServerOptions): Promise<void> {
  const path = `/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(messageId)}/resend`
  const sent = await new AdminClient(options).ask<Sent>('POST', path)
  if (options.json === true) printJson(sent)
  else print(`sent ${sent.messageId} again; npx svc webhooks tail ${id} shows the delivery`)
}

export interface RecoverOptions extends ServerOptions {
  since: string
  until?: string
  status?: string
}

/** Waits for the end; stopped before it, cancels the job. @throws CommandError SVC_HOOKS_TIME, SVC_HOOKS_RECOVERY */
export async function recoverWebhook(id: string, options: RecoverOptions): Promise<void> {
  const client = new AdminClient(options)
  const path = `/${encodeURIComponent(id)}/recover`
  let recovery = await client.ask<Recovery>('POST', path, {
    since: timeOf('--since', options.since),
    ...(options.until === undefined ? {} : { until: timeOf('--until', options.until) }),
    ...(options.status === undefined ? {} : { status: options.status })
  })
  const job = `${path}/${recovery.id}`
  const bar = options.json === true ? null : new ProgressBar(process.stderr)
  await untilStopped(async (signal) => {
    while (['reading', 'sending'].includes(recovery.state)) {
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined)
      recovery = await client.ask<Recovery>(signal.aborted ? 'DELETE' : 'GET', job)
      bar?.show(recovery.done + recovery.failed, recovery.total)
    }
  })
  bar?.end()
  if (options.json === true) printJson(recovery)
  else print(`${recovery.state}: ${recovery.done} delivered, ${recovery.failed} failed, of ${recovery.total}`)
  if (recovery.state === 'done' && recovery.failed === 0) return
  throw new CommandError({
    code: 'SVC_HOOKS_RECOVERY',
    message: `the recovery is not complete: ${recovery.error ?? `${recovery.state}, ${recovery.failed} failed`}`,
    at: id,
    expected: 'every message delivered',
    fix: `npx svc webhooks tail ${id} shows why; then recover the range again, which skips delivered messages`
  })
}

export interface TailOptions extends ServerOptions {
  outcome?: string
}

/** Prints deliveries as they end, until it is stopped. */
export async function tailWebhook(id: string, options: TailOptions): Promise<void> {
  const client = new AdminClient(options)
  const query = options.outcome === undefined ? '' : `&outcome=${encodeURIComponent(options.outcome)}`
  const path = `/${encodeURIComponent(id)}/deliveries?limit=${PAGE}${query}`
  let shown = new Set<string>()
  await untilStopped(async (signal) => {
    while (!signal.aborted) {
      const { deliveries } = await client.ask<Deliveries>('GET', path)
      for (const delivery of deliveries.toReversed()) {
        if (shown.has(keyOf(delivery))) continue
        print(options.json === true ? JSON.stringify(delivery) : lineOf(delivery))
      }
      shown = new Set(deliveries.map(keyOf))
      await setTimeout(LOOK_MS, undefined, { signal }).catch(() => undefined)
    }
  })
}

function keyOf({ messageId, ts, attempt }: Delivery): string {
  return `${messageId} ${ts} ${attempt}`
}

function lineOf({ ts, messageId, type, outcome, status, error, durationMs }: Delivery): string {
  const answer = status === null ? (error ?? 'no answer') : String(status)
  return `${new Date(ts).toISOString()}  ${outcome}  ${answer}  ${durationMs} ms  ${type}  ${messageId}`
}

/** Epoch milliseconds, or a time in ISO 8601. @throws CommandError SVC_HOOKS_TIME */
function timeOf(at: string, text: string): number {
  const time = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new CommandError(
    {
      code: 'SVC_HOOKS_TIME',
      message: 'this is not a time',
      at,
      got: text.slice(0, 64),
      expected: 'ISO 8601, or milliseconds since 1970',
      fix: `${at} 2026-01-31T12:00:00Z`
    },
    2
  )
}
