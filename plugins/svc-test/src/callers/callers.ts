/** One caller at every door of an application: the same client speaks over HTTP and over the socket, as any identity. */
import type { FastifyInstance } from 'fastify'
import { type Client, createClient, type LiveClient } from 'svc-client'
import { type ActingUser, actingAs } from '../acting/acting-as.ts'
import { NoSuchDoor } from '../errors.ts'
import { fetchOf, ORIGIN, socketsOf } from './inject-fetch.ts'
import { type JobDoor, jobDoor } from './job-door.ts'
import { type ToolDoor, toolDoor } from './tool-door.ts'

/** Who calls: a user that need not exist, or the headers of a credential that is checked as any other. */
export type CallerIdentity = ActingUser | { readonly headers: Readonly<Record<string, string>> }

/** The doors of an application. A package that opens another one declares it here, and adds it with `addDoor`. */
export interface Callers<Routes> {
  readonly http: Client<Routes>
  /** The socket of svc-realtime, opened by the first call; it closes with the application. */
  readonly socket: SocketDoor<Routes>
  readonly job: JobDoor
  /** Tools of svc-mcp, for a user of the type `jwt`: the endpoint takes access tokens. */
  readonly tool: ToolDoor
}

/** Calls and channels over the socket. */
export type SocketDoor<Routes> = Pick<LiveClient<Routes>, 'call' | 'attempt' | 'subscribe' | 'publish' | 'close'>

/** What a door is made of. */
export interface DoorParts {
  readonly app: FastifyInstance
  /** Those of the caller, to be sent with every request. */
  readonly headers: Readonly<Record<string, string>>
}

/** Makes the door of one caller. */
export type OpenDoor = (parts: DoorParts) => unknown

const doors = new Map<string, OpenDoor>([
  ['http', ({ app, headers }) => client(app, headers)],
  ['socket', ({ app, headers }) => socketDoor(client(app, headers))],
  ['job', ({ app, headers }) => jobDoor(app, headers)],
  ['tool', ({ app, headers }) => toolDoor(app, headers)]
])

/**
 * Adds a door to all callers: `addDoor('mail', open)`, with its type declared on `Callers`.
 *
 * @param open called once per caller, when the door is first used
 */
export function addDoor(name: string, open: OpenDoor): void {
  doors.set(name, open)
}

/**
 * The doors of an application of `buildApp`, for one caller. Firewall, guards and voters are the real ones.
 *
 * @param identity absent: nobody, without a credential
 * @throws CannotAct for a user, where the application was built otherwise; NoSuchDoor for a door that no package added
 */
export function callersOf<Routes extends object = Record<string, never>>(
  app: FastifyInstance,
  identity?: CallerIdentity
): Callers<Routes> {
  const headers =
    identity === undefined ? {} : 'headers' in identity ? identity.headers : actingAs(app, identity).headers
  const opened = new Map<string, unknown>()
  return new Proxy({} as Callers<Routes>, {
    get(_, name) {
      // What is awaited, or printed, is asked for more than doors.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined
      const open = doors.get(name)
      if (open === undefined) throw new NoSuchDoor(name, [...doors.keys()].join(', '))
      if (!opened.has(name)) opened.set(name, open({ app, headers }))
      return opened.get(name)
    }
  })
}

/** A test wants the first answer, whatever it is. */
function client(app: FastifyInstance, headers: DoorParts['headers']): Client<never> {
  const options = { baseUrl: ORIGIN, fetch: fetchOf(app), headers, retry: false as const, timeoutMs: 0 }
  return createClient<never>({ ...options, openSocket: socketsOf(app, headers) })
}

function socketDoor({ connect }: Pick<Client<never>, 'connect'>): SocketDoor<never> {
  let opening: Promise<LiveClient<never>> | undefined
  const live = () => (opening ??= connect())
  const through =
    (name: 'call' | 'attempt' | 'subscribe' | 'publish') =>
    async (...given: never[]) =>
      ((await live())[name] as (...given: never[]) => Promise<unknown>)(...given)
  return {
    call: through('call'),
    attempt: through('attempt'),
    subscribe: through('subscribe'),
    publish: through('publish'),
    close: async () => (await live()).close()
  } as SocketDoor<never>
}
