/** `fetch` and WebSockets of an application that has no port. */
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { SocketFactory, SocketLike } from 'svc-client'
import { NoSocketDoor } from '../errors.ts'

/** Where an application without a port seems to be. */
export const ORIGIN = 'http://127.0.0.1'

export function fetchOf(app: FastifyInstance): (request: Request) => Promise<Response> {
  return async (request) => {
    const payload = Buffer.from(await request.arrayBuffer())
    const answer = await app.inject({
      method: request.method as NonNullable<InjectOptions['method']>,
      url: request.url.slice(new URL(request.url).origin.length),
      headers: Object.fromEntries(request.headers),
      ...(request.body === null ? {} : { payload })
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const each of [value].flat()) if (each !== undefined) headers.append(name, String(each))
    }
    const empty = [204, 205, 304].includes(answer.statusCode)
    return new Response(empty ? null : new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers })
  }
}

type InjectSocket = (path: string, upgrade: { headers: Readonly<Record<string, string>> }) => Promise<SocketLike>

/** @throws NoSocketDoor for an application without WebSockets, or an upgrade that is refused */
export function socketsOf(app: FastifyInstance, headers: Readonly<Record<string, string>>): SocketFactory {
  return async (url) => {
    const { injectWS } = app as unknown as { injectWS?: InjectSocket }
    if (injectWS === undefined) throw new NoSocketDoor('no plugin of it serves WebSockets')
    const { pathname, search } = new URL(url)
    try {
      return await injectWS(pathname + search, { headers })
    } catch (error) {
      throw new NoSocketDoor((error as Error).message)
    }
  }
}
