/** The zone of the endpoint: tokens for it are tokens for nothing else (RFC 8707), so it has an audience of its own. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf, type Problem } from 'svc-kernel'

interface ZonesPort {
  zoneOf(
    template: string
  ): { readonly name: string; readonly audience: string | null; readonly takesCredentials: boolean } | null
}

export interface EndpointZone {
  /** URL of the endpoint, the `aud` of its tokens; `null` where nobody is asked for one. */
  readonly audience: string | null
  readonly problems: readonly Problem[]
}

export function endpointZone(fastify: FastifyInstance, path: string): EndpointZone {
  const zone = decoratorOf(fastify as unknown as { firewall: ZonesPort }, 'firewall')?.zoneOf(path) ?? null
  if (zone === null || (!zone.takesCredentials && zone.audience === null)) return { audience: null, problems: [] }
  const { name, audience } = zone
  if (audience !== null && isEndpoint(audience, path)) return { audience, problems: [] }
  const problem: Problem = {
    code: 'SVC_MCP_AUDIENCE',
    message:
      audience === null
        ? `the MCP endpoint lies in the zone ${name}, whose credentials hold in other zones too`
        : `the audience of the zone ${name} is not the URL of the MCP endpoint`,
    at: `svc-security.areas.${name}.audience`,
    got: audience ?? 'no audience',
    expected: `the public URL of the endpoint, such as https://api.example${path}`,
    fix: `areas: { mcp: { pattern: '^${path}$', authenticators: ['jwt'], audience: 'https://...${path}' } }`,
    more: 'npx svc docs tools-for-agents'
  }
  return { audience: null, problems: [problem] }
}

/** An absolute URL without a fragment, of this path; a proxy may put something before it. */
function isEndpoint(audience: string, path: string): boolean {
  const url = URL.canParse(audience) ? new URL(audience) : null
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.hash === '' &&
    url.search === '' &&
    url.pathname.endsWith(path)
  )
}
