/** What every application is asked, and what it has to answer. */
import type { Scenario } from '../measured/scenario.ts'
import { DENIED } from './denials.ts'

/** What the load presents to one application, which made it. */
export interface Credentials {
  readonly apikey: string
  readonly jwt: string
}

type Case = Scenario & { readonly credential?: keyof Credentials }

const ARTICLE = '{"title":"A title","body":"A body of some length, as articles have."}'
const WHO = '{"hello":"world","who":"alice"}'
const MESSAGE = 'hello over the wire'

export const PUBLIC: Scenario = {
  name: 'public route',
  transport: 'http',
  path: '/public/hello',
  status: 200,
  answer: '{"hello":"world"}'
}

export const CASES: readonly Case[] = [
  PUBLIC,
  { name: 'API key', transport: 'http', path: '/keys/hello', status: 200, answer: WHO, credential: 'apikey' },
  {
    name: 'refused',
    transport: 'http',
    path: '/keys/denied',
    status: 403,
    answer: JSON.stringify(DENIED),
    credential: 'apikey'
  },
  { name: 'JWT', transport: 'http', path: '/tokens/hello', status: 200, answer: WHO, credential: 'jwt' },
  { name: 'JSON body', transport: 'http', path: '/public/articles', payload: ARTICLE, status: 200, answer: ARTICLE },
  {
    name: 'WebSocket',
    transport: 'websocket',
    path: '/public/echo',
    payload: MESSAGE,
    answer: JSON.stringify({ echo: MESSAGE })
  }
]

/** Asked once of every application, so that all refuse and accept the same. */
export const CHECKS: readonly Case[] = [
  {
    name: 'unknown properties are dropped',
    transport: 'http',
    path: '/public/articles',
    payload: '{"title":"A","body":"B","more":1}',
    status: 200,
    answer: '{"title":"A","body":"B"}'
  },
  { name: 'invalid body', transport: 'http', path: '/public/articles', payload: '{"title":"A"}', status: 400 },
  {
    name: 'title too long',
    transport: 'http',
    path: '/public/articles',
    payload: JSON.stringify({ title: 'a'.repeat(201), body: 'B' }),
    status: 400
  },
  { name: 'no key', transport: 'http', path: '/keys/hello', status: 401 },
  { name: 'token for a key', transport: 'http', path: '/keys/hello', status: 401, credential: 'jwt' },
  { name: 'no token', transport: 'http', path: '/tokens/hello', status: 401 },
  { name: 'key for a token', transport: 'http', path: '/tokens/hello', status: 401, credential: 'apikey' }
]

export function presenting({ credential, ...scenario }: Case, credentials: Credentials): Scenario {
  if (credential === undefined) return scenario
  return { ...scenario, headers: [`authorization: Bearer ${credentials[credential]}`] }
}
