/** What is measured: one request form per row, the same bytes for both servers, and the ratio to hold. */
import type { Scenario } from '../measured/scenario.ts'

export interface HttpScenario extends Scenario {
  /** Of ours. Default: the one without accounts. */
  readonly server?: 'keyed'
  /** Presents the API key that both servers know. */
  readonly key?: boolean
}

export const scenarios: readonly HttpScenario[] = [
  { name: 'public route', transport: 'http', path: '/open/hello', status: 200, budget: 0.97 },
  { name: 'public route in an anonymous zone', transport: 'http', path: '/api/hello', status: 200, budget: 0.97 },
  {
    name: 'AsyncLocalStorage.run alone, on raw Fastify',
    transport: 'http',
    path: '/open/hello',
    ingredient: '/context/hello',
    status: 200
  },
  { name: 'guarded by role, identity known', transport: 'http', path: '/members/hello', status: 200, budget: 0.92 },
  { name: 'denied (403)', transport: 'http', path: '/members/denied', status: 403, budget: 0.85 },
  { name: 'API key', transport: 'http', path: '/keyed/hello', server: 'keyed', key: true, status: 200, budget: 0.9 },
  {
    name: 'denied (403), API key',
    transport: 'http',
    path: '/keyed/denied',
    server: 'keyed',
    key: true,
    status: 403,
    budget: 0.85
  },
  { name: 'no API key (401)', transport: 'http', path: '/keyed/hello', server: 'keyed', status: 401, budget: 0.85 },
  {
    name: 'POST with schema',
    transport: 'http',
    path: '/api/articles',
    payload: '{"title":"A title","body":"A body of some length, as articles have."}',
    status: 200,
    budget: 0.95
  },
  { name: 'WebSocket echo', transport: 'websocket', path: '/api/echo', payload: 'hello over the wire', budget: 0.9 }
]
