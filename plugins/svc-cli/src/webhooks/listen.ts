/**
 * `svc webhooks listen`: a temporary endpoint on this machine, for development. Each delivery is verified, shown, handed on
 * as it came where `--forward` says so, and answered as that answered; the endpoint is deleted at the end. Anybody on this
 * machine may call it: what is read is bounded, and nothing of it steers the terminal.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { safeText } from 'svc-kernel/plugin'
import type { WithSecret } from 'svc-webhooks/wire'
import { importFrom } from '../application/app-packages.ts'
import { findRoot } from '../application/find-application.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain, print } from '../output.ts'
import { AdminClient, type ServerOptions } from './admin-client.ts'
import { untilStopped } from './until-stopped.ts'

export interface ListenOptions extends ServerOptions, AppOptions {
  forward?: string
  event: string[]
}

type Verify = (message: { secret: string; headers: IncomingMessage['headers']; body: Buffer }) => {
  readonly id: string
}

const FORWARD_DEADLINE_MS = 10_000

/** Messages of svc-webhooks are a few KB. */
const MOST_BYTES = 1024 * 1024

/** How long a message may take to arrive, in ms, and how many may be on their way. */
const ARRIVAL_MS = 10_000
const MOST_CONNECTIONS = 100

/** Of the connection that a message came over, not of the message. */
const OF_THE_CONNECTION = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'])

/** @throws CommandError SVC_HOOKS_FORWARD, SVC_HOOKS_LISTEN, those of the client */
export async function listenToWebhooks(options: ListenOptions): Promise<void> {
  const forward = options.forward === undefined ? null : forwardUrl(options.forward)
  const client = new AdminClient(options)
  const events = options.event.length === 0 ? ['*'] : options.event
  const root = findRoot(options.root, 'svc webhooks listen')
  const { verifyWebhook } = (await importFrom(root, 'svc-webhooks', 'svc-webhooks')) as { verifyWebhook: Verify }
  let secret = ''
  const server = createServer({ requestTimeout: ARRIVAL_MS, headersTimeout: ARRIVAL_MS }, (request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  server.maxConnections = MOST_CONNECTIONS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now()
    const body = await bodyOf(request)
    const { headers } = request
    const show = (answer: string) => {
      const id = safeText(String(headers['webhook-id'] ?? '-'))
      const type = body === null ? '-' : safeText(typeOf(body))
      const event = { id, type, answer: safeText(answer), ms: Math.round(performance.now() - began) }
      const line = `${new Date().toISOString()}  ${event.type}  ${event.id}  ${event.answer}  ${event.ms} ms`
      print(options.json === true ? JSON.stringify(event) : line)
    }
    if (body === null) {
      response.writeHead(413, { connection: 'close' }).end(() => request.destroy())
      show(`not verified: more than ${MOST_BYTES} bytes`)
      return
    }
    try {
      verifyWebhook({ secret, headers, body })
    } catch (error) {
      response.writeHead(401).end()
      show(`not verified: ${(error as Error).message}`)
      return
    }
    const status = forward === null ? 204 : await handOn(forward, headers, body)
    response.writeHead(status ?? 502).end()
    show(
      status === null
        ? 'verified, not forwarded: the target did not answer'
        : forward === null
          ? 'verified'
          : `verified, ${status}`
    )
  }

  try {
    const { endpoint, secret: made } = await register(client, url, events)
    secret = made
    complain(`endpoint ${endpoint.id} receives ${events.join(' ')} from ${client.origin}; Ctrl-C deletes it`)
    await untilStopped((signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())))
    await client.ask('DELETE', `/${endpoint.id}`)
    complain(`endpoint ${endpoint.id} is deleted`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function register(client: AdminClient, url: string, events: readonly string[]): Promise<WithSecret> {
  try {
    return await client.ask<WithSecret>('POST', '', { url, events, description: 'svc webhooks listen' })
  } catch (error) {
    const [problem] = error instanceof CommandError ? error.problems : []
    if (!problem?.got?.includes('SVC_WEBHOOKS_URL_REFUSED')) throw error
    throw new CommandError({
      code: 'SVC_HOOKS_LISTEN',
      message: 'the server does not send to this machine',
      at: client.origin,
      got: url,
      expected: 'a server in development that may send to loopback addresses over http',
      fix: "in development only: [svcWebhooks, { allowHttp: true, allowCidrs: ['127.0.0.0/8'] }]"
    })
  }
}

/** @returns the status of the answer; `null` without one */
async function handOn(to: string, headers: IncomingMessage['headers'], body: Buffer): Promise<number | null> {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name))
  try {
    const answer = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_DEADLINE_MS),
      headers: kept.map(([name, value]) => [name, String(value)] as [string, string]),
      body: new Uint8Array(body)
    })
    // Its status alone is wanted, however long it is.
    await answer.body?.cancel()
    return answer.status
  } catch {
    return null
  }
}

/** @returns `null` where it is too long: the rest is not read */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function typeOf(body: Buffer): string {
  try {
    const { type } = JSON.parse(body.toString()) as { type?: unknown }
    return typeof type === 'string' ? type : '-'
  } catch {
    return '-'
  }
}

function forwardUrl(text: string): string {
  const { protocol, href = '' } = URL.parse(text) ?? {}
  if (protocol === 'http:' || protocol === 'https:') return href
  throw new CommandError(
    {
      code: 'SVC_HOOKS_FORWARD',
      message: 'messages cannot be forwarded there',
      at: '--forward',
      got: text.slice(0, 200),
      expected: 'a URL with http:// or https://',
      fix: '--forward http://127.0.0.1:3000/hook'
    },
    2
  )
}
