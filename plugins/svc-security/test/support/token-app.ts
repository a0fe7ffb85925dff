/** An application with a zone for every kind of bearer credential, over a real socket or injected. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { newStoredKey } from '../../src/host.ts'
import type { SvcSecurityOptions, SvcSecurityParts } from '../../src/index.ts'
import { ALICE_PASSWORD } from './accounts.ts'
import { echoRoute, requires } from './guarded-app.ts'
import { API, type LoginApp, loginApp } from './login-app.ts'

export const keySetJson = JSON.stringify({ keys: [newStoredKey(0)] })

export interface TokenApp extends LoginApp {
  call(method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, bearer?: string): ReturnType<typeof answerOf>
}

/** `/jwt`, `/key` and `/any` take what they say; `/open` takes it and lets the others in as anonymous. */
export async function tokenApp(
  options: SvcSecurityOptions = {},
  parts: SvcSecurityParts = {},
  server: FastifyServerOptions = {}
): Promise<TokenApp> {
  const areas = {
    jwt: { pattern: '^/jwt', authenticators: ['jwt'] },
    key: { pattern: '^/key', authenticators: ['apikey'] },
    any: { pattern: '^/any', authenticators: ['session', 'jwt', 'apikey'] },
    open: { pattern: '^/open', authenticators: ['jwt', 'apikey', 'anonymous'] }
  }
  const signed = Object.values(options.areas ?? areas).some(({ authenticators }) => authenticators.includes('jwt'))
  const jwt = { keySetJson, ...options.jwt }
  const made = await loginApp({ areas, ...options, ...(signed ? { jwt } : {}) }, parts, server)
  made.accounts.add({ ...made.accounts.get('alice'), identifier: 'root', roles: ['ROLE_SVC_ADMIN'] })
  const { app } = made
  for (const url of ['/jwt', '/key', '/any', '/open']) echoRoute(app, url)
  echoRoute(app, '/any/orders', { requirement: requires('orders:read') })
  echoRoute(app, '/any/users', { requirement: requires('ROLE_USER') })
  return { ...made, call: (method, url, payload, bearer) => answerOf(app, method, url, payload, bearer) }
}

async function answerOf(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
  bearer?: string
) {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return {
    status: answer.statusCode,
    body: answer.json<Record<string, never>>(),
    text: answer.body,
    headers: answer.headers
  }
}

export const TOKEN = `${API}/token`
export const KEYS = `${API}/keys`

/** An access token by the front door. */
export async function accessToken({ call }: TokenApp, username = 'alice', scope?: string): Promise<string> {
  const body = { username, password: ALICE_PASSWORD, ...(scope === undefined ? {} : { scope }) }
  const answer = await call('POST', TOKEN, body)
  return String(answer.body.access_token)
}
