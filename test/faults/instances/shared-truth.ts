/**
 * What instances have to agree about, each asked directly: what one of them did, the others know at their next request.
 * Each check returns what was wrong, a line each.
 */
import { randomUUID } from 'node:crypto'
import { API } from '../../support/account-app.ts'
import { messageArrives, within } from '../campaign/message-arrives.ts'
import { exchange, type MixedLoad, type Reply } from '../campaign/mixed-load.ts'
import type { Subject } from '../campaign/subject.ts'
import { PASSWORD } from '../campaign/subject-app.ts'

const REVOCATIONS = 30
/** Attempts that are free; the next one has to wait. */
const FREE = 4
const SILENT_MS = 30_000
/** Of `POST /spend`. */
const BUDGET = 10

type Instances = readonly Subject[]

const LOGIN = `${API}/auth/login`

function others(instances: Instances, index: number): Instances {
  return instances.filter((_, each) => each !== index % instances.length)
}

function at(instances: Instances, index: number): Subject {
  return instances[index % instances.length] as Subject
}

/** A session that one instance made and another one ended, and a key likewise, are refused by all at the next request. */
export async function revocationIsKnown(instances: Instances, load: MixedLoad): Promise<string[]> {
  const wrong: string[] = []
  for (let index = 0; index < REVOCATIONS; index += 1) {
    const login = await exchange(at(instances, index).port, 'POST', LOGIN, {}, { username: 'cleo', password: PASSWORD })
    const { cookie } = login
    const csrf = await exchange(at(instances, index + 1).port, 'GET', `${API}/auth/csrf`, { cookie })
    const headers = { cookie, 'x-csrf-token': String(csrf.body.csrfToken) }
    const ended = await exchange(at(instances, index + 1).port, 'POST', `${API}/auth/logout`, headers, {})
    if (ended.status !== 200) wrong.push(`logout: ${ended.status} ${JSON.stringify(ended.body)}`)
    wrong.push(...(await refusedBy(others(instances, index + 1), 'session', '/member/who', { cookie })))
    const made = await exchange(at(instances, index).port, 'POST', `${API}/keys`, load.proof, { name: 'shared' })
    const key = { authorization: `Bearer ${made.body.token}` }
    const known = await exchange(at(instances, index + 1).port, 'GET', '/api/who', key)
    if (known.status !== 200) wrong.push(`a new key at another instance: ${known.status}`)
    await exchange(at(instances, index + 2).port, 'DELETE', `${API}/keys/${made.body.id}`, load.proof)
    wrong.push(...(await refusedBy(instances, 'key', '/api/who', key)))
  }
  return wrong
}

async function refusedBy(instances: Instances, what: string, path: string, headers: Record<string, string>) {
  const replies = await Promise.all(instances.map(({ port }) => exchange(port, 'GET', path, headers)))
  return replies.flatMap(({ status }) => (status === 401 ? [] : [`a revoked ${what} was answered with ${status}`]))
}

/**
 * Guesses at one name are counted together, whichever instance they meet.
 *
 * @param instances whose clocks agree: one that is ahead ends a delay early
 */
export async function guessesAreCounted(instances: Instances): Promise<string[]> {
  const username = `nobody-${randomUUID()}`
  const guess = (index: number) =>
    exchange(at(instances, index).port, 'POST', LOGIN, {}, { username, password: 'a guess' })
  const free: Reply[] = []
  for (let index = 0; index < FREE; index += 1) free.push(await guess(index))
  const held = await Promise.all(instances.map((_, index) => guess(index)))
  return [
    ...free.flatMap(({ status }) => (status === 401 ? [] : [`a free guess: ${status}`])),
    ...held.flatMap(({ status }) => (status === 429 ? [] : [`a guess too many: ${status}`]))
  ]
}

/** One key, sent to all at once: one of them works, the others wait or say what it answered. */
export async function workIsDoneOnce(instances: Instances, load: MixedLoad): Promise<string[]> {
  const headers = { ...load.proof, 'idempotency-key': randomUUID() }
  const payload = { url: `http://127.0.0.1:9/${randomUUID()}`, events: ['config.update'] }
  const order = ({ port }: Subject) => exchange(port, 'POST', `${API}/webhooks`, headers, payload)
  const replies = await Promise.all(instances.map(order))
  const again = await Promise.all(instances.map(order))
  const idOf = ({ body }: Reply) => (body.endpoint as { id: string } | undefined)?.id
  const ids = new Set([...replies, ...again].filter(({ status }) => status === 201).map(idOf))
  return [
    ...replies.flatMap(({ status }) => ([201, 409].includes(status) ? [] : [`a repeated order: ${status}`])),
    ...again.flatMap(({ status }) => (status === 201 ? [] : [`the order afterwards: ${status}`])),
    ...(ids.size === 1 ? [] : [`one order made ${ids.size} endpoints`])
  ]
}

/** One budget, spent at all of them at once. */
export async function limitsAreShared(instances: Instances): Promise<string[]> {
  const headers = { 'x-budget': randomUUID() }
  const calls = instances.flatMap(({ port }) => Array.from({ length: BUDGET }, () => port))
  const replies = await Promise.all(calls.map((port) => exchange(port, 'POST', '/spend', headers, {})))
  const spent = replies.filter(({ status }) => status === 200).length
  return [
    ...(spent === BUDGET ? [] : [`a budget of ${BUDGET} let ${spent} through`]),
    ...replies.flatMap(({ status }) => ([200, 429].includes(status) ? [] : [`a limited call: ${status}`]))
  ]
}

/** A message that one publishes, a socket of every other hears. */
export async function messagesReachAll(instances: Instances, load: MixedLoad): Promise<string[]> {
  const [speaker, ...listeners] = instances as [Subject, ...Subject[]]
  const heard = await Promise.all(listeners.map((each) => messageArrives(speaker, each, load.session('ben'))))
  return heard.flatMap((arrived) => (arrived ? [] : ['a message did not reach another instance']))
}

/** The list of instances, of whichever is asked. @param expected states in any order */
export async function listed(instances: Instances, load: MixedLoad, expected: readonly string[]): Promise<string[]> {
  const { cookie } = load.proof as { cookie: string }
  let seen: readonly string[] = []
  const agree = await within(SILENT_MS, async () => {
    const lists = await Promise.all(
      instances.map(async ({ port }) => {
        const { body } = await exchange(port, 'GET', '/svc/ops/api/instances', { cookie })
        const rows = (body.instances ?? []) as { readonly state: string }[]
        return rows
          .map(({ state }) => state)
          .sort()
          .join()
      })
    )
    seen = lists
    return lists.every((list) => list === [...expected].sort().join())
  })
  return agree ? [] : [`instances are listed as ${seen.join(' | ')} instead of ${expected.join()}`]
}
