/**
 * Mutated targets against routers of several settings, byte for byte on a
 * socket. Whatever handler runs, the zone that was entered is that of its
 * template, or of the path as the router read it, or a stricter one; and no
 * handler of a zone that demands proof ever runs without.
 */
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Authenticator } from 'svc-security'
import t, { type Test } from 'tap'
import { bearer, PlainCredential } from '../support/plain-credential.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { startApp } from '../support/start-app.ts'
import { mutatedTarget } from './mutated-target.ts'

const SEED = 51_515_152
const TARGETS = 350

/** In order of declaration; `proof` where the zone demands it. */
const zones: Record<string, { pattern: string; proof: boolean }> = {
  admin: { pattern: '^/admin(/|$)', proof: true },
  secret: { pattern: '^/files/secret', proof: true },
  kiosk: { pattern: '^/kiosk/', proof: true },
  editing: { pattern: '/edit$', proof: true },
  api: { pattern: '^/api', proof: false }
}

/** Templates, and the zone each is in by itself: written down, not computed. */
const templates: Record<string, string | null> = {
  '/': null,
  '/admin': 'admin',
  '/admin/users': 'admin',
  '/admin/users/:id': 'admin',
  '/admin/*': 'admin',
  '/files/*': null,
  '/api/hello': 'api',
  '/api/:thing': 'api',
  '/api/:thing/edit': 'editing',
  '/public/page': null,
  '/:tenant/users': null,
  '/:tenant/:page': null,
  '/:a/:b/:c/*': null
}

const routers = {
  plain: {},
  slashes: { ignoreDuplicateSlashes: true },
  'any case': { caseSensitive: false },
  semicolon: { useSemicolonDelimiter: true },
  'trailing slash': { ignoreTrailingSlash: true },
  everything: {
    ignoreDuplicateSlashes: true,
    caseSensitive: false,
    useSemicolonDelimiter: true,
    ignoreTrailingSlash: true
  }
}

/** What a handler that ran tells about itself. */
interface Ran {
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly entered: string | null
}

async function fuzzedApp(t: Test, routerOptions: object): Promise<number> {
  const entered = new WeakMap<object, string>()
  const spy: Authenticator = {
    supports: ({ request, zone }) => {
      entered.set(request, zone)
      return false
    },
    createToken: () => null,
    authenticate: () => {
      throw new Error('it claims nothing')
    }
  }
  const routes = fp(async (fastify: FastifyInstance) => {
    const tell = (url: string) => {
      fastify.get(url, async (request) => ({
        route: request.routeOptions.url,
        params: request.params,
        entered: entered.get(request) ?? null
      }))
    }
    for (const template of Object.keys(templates)) tell(template)
  })
  const { port } = await startApp(t, {
    security: {
      areas: Object.fromEntries(
        Object.entries(zones).map(([name, { pattern, proof }]) => [
          name,
          { pattern, authenticators: ['spy', 'bearer', ...(proof ? [] : ['anonymous'])] }
        ])
      ),
      parts: { authenticators: { spy, bearer: PlainCredential.bearer() } }
    },
    modules: [routes],
    server: { routerOptions, logger: false }
  })
  return port
}

/** 0 outside of every zone, 1 in one that admits the anonymous visitor, 2 where proof is demanded. */
function strictness(zone: string | null): number {
  if (zone === null) return 0
  return zones[zone]?.proof === true ? 2 : 1
}

/** The path the router saw, put together again from the template and the values it found. */
function pathRead({ route, params }: Ran): string {
  return route.replace(/:\w+|\*/g, (name) =>
    name === '*' ? String(params['*']) : String(params[name.slice(1)]).replaceAll('/', '%2F')
  )
}

function zoneOfPath(path: string, ignoreCase: boolean): string | null {
  const holds = ({ pattern }: { pattern: string }) => new RegExp(pattern, ignoreCase ? 'iu' : 'u').test(path)
  return Object.entries(zones).find(([, zone]) => holds(zone))?.[0] ?? null
}

/** What is wrong with a handler having run; `null` when nothing is. */
function fault(target: string, ran: Ran, ignoreCase: boolean): string | null {
  const ofTemplate = templates[ran.route]
  if (ofTemplate === undefined) return `an unknown template ran: ${ran.route}`
  // Behind a wildcard, a decoded slash cannot be told from one that separates.
  const ambiguous = ran.route.includes('*') && /%2f/i.test(target)
  const ofPath = ambiguous ? null : zoneOfPath(pathRead(ran), ignoreCase)
  const needed = Math.max(strictness(ofTemplate), strictness(ofPath))
  if (strictness(ran.entered) < needed) return `${ran.route} ran in zone ${ran.entered}, not ${ofTemplate}, ${ofPath}`
  return null
}

/** How many targets reached a handler: where proof is demanded, and where not. */
interface Reached {
  protected: number
  open: number
}

/** Asks without and with proof. Throws where a handler ran that should not have. */
async function probe(port: number, target: string, ignoreCase: boolean, reached: Reached): Promise<void> {
  const bare = await rawExchange(port, rawRequest('GET', target))
  const proven = await rawExchange(port, rawRequest('GET', target, bearer('alice')))
  for (const { status, body } of [bare, proven]) {
    if (![200, 400, 401, 404].includes(status)) throw new Error(`status ${status}: ${body}`)
    const found = status === 200 ? fault(target, JSON.parse(body) as Ran, ignoreCase) : null
    if (found !== null) throw new Error(found)
  }
  if (proven.status !== 200) return
  const { route, entered } = JSON.parse(proven.body) as Ran
  const demanded = strictness(entered) === 2
  if (bare.status !== (demanded ? 401 : 200)) throw new Error(`${route}: ${bare.status} without proof, in ${entered}`)
  reached[demanded ? 'protected' : 'open'] += 1
}

for (const [name, routerOptions] of Object.entries(routers)) {
  t.test(`router: ${name}; ${TARGETS} targets of seed ${SEED}`, async (t) => {
    const port = await fuzzedApp(t, routerOptions)
    const ignoreCase = 'caseSensitive' in routerOptions
    const reached: Reached = { protected: 0, open: 0 }
    await fc.assert(
      fc.asyncProperty(mutatedTarget, (target) => probe(port, target, ignoreCase, reached)),
      { seed: SEED, numRuns: TARGETS }
    )
    t.ok(reached.protected > 40, `${reached.protected} targets reached a handler that demands proof`)
    t.ok(reached.open > 40, `${reached.open} targets reached an open handler`)
    t.equal((await rawExchange(port, rawRequest('GET', '/public/page'))).status, 200, 'the server lives on')
  })
}
