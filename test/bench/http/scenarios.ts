/** What is measured: one request form per row, the same bytes for every server, and the ratio to hold. */
import type { Scenario } from '../measured/scenario.ts'

export interface HttpScenario extends Scenario {
  /** Of ours. Default: the one without accounts. */
  readonly server?: 'keyed'
  /** Presents the API key that every server knows. */
  readonly key?: boolean
}

export const scenarios: readonly HttpScenario[] = [
  { name: 'public route', transport: 'http', path: '/open/hello', status: 200, budget: 1.03 },
  { name: 'public route in an anonymous zone', transport: 'http', path: '/api/hello', status: 200, budget: 1.03 },
  {
    name: 'AsyncLocalStorage.run alone, by hand',
    transport: 'http',
    path: '/open/hello',
    ingredient: '/context/hello',
    status: 200
  },
  { name: 'guarded by role, identity known', transport: 'http', path: '/members/hello', status: 200, budget: 1.08 },
  { name: 'refused (403)', transport: 'http', path: '/members/denied', status: 403, budget: 1.17 },
  { name: 'API key', transport: 'http', path: '/keyed/hello', server: 'keyed', key: true, status: 200, budget: 1.11 },
  {
    name: 'refused (403), API key',
    transport: 'http',
    path: '/keyed/denied',
    server: 'keyed',
    key: true,
    status: 403,
    budget: 1.17
  },
  { name: 'no API key (401)', transport: 'http', path: '/keyed/hello', server: 'keyed', status: 401, budget: 1.17 },
  {
    name: 'POST with schema',
    transport: 'http',
    path: '/api/articles',
    payload: '{"title":"A title","body":"A body of some length, as articles have."}',
    status: 200,
    budget: 1.05
  },
  { name: 'WebSocket echo', transport: 'websocket', path: '/api/echo', payload: 'hello over the wire', budget: 1.11 }
]
