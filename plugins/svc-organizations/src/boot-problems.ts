/** What is missing beside the sections that are on; all of it ends the boot together. */
import type { FastifyInstance } from 'fastify'
import { decoratorOf, type Problem } from 'svc-kernel'
import type { OrganizationsConfig, SvcOrganizationsParts } from './options.ts'

const SECURITY = "[svcSecurity, { areas: { api: { pattern: '^/api', authenticators: ['session', 'bearer'] } } }]"

export function bootProblems(
  fastify: FastifyInstance,
  config: OrganizationsConfig,
  parts: SvcOrganizationsParts
): Problem[] {
  const security = decoratorOf(fastify, 'userAccounts')
  if (security === null) return [needs('svc-security', 'organisations', SECURITY)]
  const problems: Problem[] = []
  if (config.invitations !== undefined) {
    if (decoratorOf(fastify, 'mail') === null) {
      problems.push(needs('svc-mail', 'invitations', "[svcMail, { from: 'Shop <shop@example.org>' }]"))
    }
    if (parts.provenAddress === undefined && !fastify.hasDecorator('accounts')) problems.push(UNPROVEN)
    if (!isLink(config.invitations.link)) problems.push(badLink(config.invitations.link))
  }
  if (config.deletion !== undefined && decoratorOf(fastify, 'jobs') === null) {
    problems.push(needs('svc-jobs', 'deletion', 'svcJobs'))
  }
  if (config.keys !== undefined && (security.driver === null || security.driver === 'application')) {
    problems.push({
      code: 'SVC_ORG_KEY_USERS',
      message: 'keys of organisations need users that svc-security keeps',
      at: 'svc-organizations.keys',
      got: security.driver === null ? 'no store' : 'users of the application',
      expected: 'the store of svc-security',
      fix: 'leave out users.entity and parts.users of svc-security, or keys of svc-organizations'
    })
  }
  return [...problems, ...scimProblems(config)]
}

function scimProblems({ scim, keys, domains, roles }: OrganizationsConfig): Problem[] {
  if (scim === undefined) return []
  const problems: Problem[] = []
  if (keys === undefined || domains === undefined) {
    problems.push({
      code: 'SVC_ORG_SCIM',
      message: 'provisioning needs keys of organisations, and domains that they have proven',
      at: 'svc-organizations.scim',
      got: `${keys === undefined ? 'no keys' : 'keys'}, ${domains === undefined ? 'no domains' : 'domains'}`,
      expected: 'both sections',
      fix: 'keys: {}, domains: {}'
    })
  }
  const unknown = [scim.role, ...Object.values(scim.groups)].filter((role) => !Object.hasOwn(roles, role))
  if (unknown.length > 0) {
    problems.push({
      code: 'SVC_ORG_SCIM',
      message: 'provisioning gives roles that the options do not declare',
      at: 'svc-organizations.scim',
      got: unknown.join(', '),
      expected: Object.keys(roles).join(' | '),
      fix: 'use a role of svc-organizations.roles; owner is given by owners alone'
    })
  }
  return problems
}

function needs(plugin: string, section: string, fix: string): Problem {
  return {
    code: 'SVC_ORG_NEEDS',
    message: `${section} need ${plugin}`,
    at: 'svc-organizations',
    got: `${section}, without ${plugin}`,
    expected: `${plugin} before svc-organizations`,
    fix
  }
}

const UNPROVEN: Problem = {
  code: 'SVC_ORG_PROVEN',
  message: 'an invitation is accepted by the account that has proven its address, and nothing knows which did',
  at: 'svc-organizations.invitations',
  got: 'neither svc-accounts nor parts.provenAddress',
  expected: 'svc-accounts before svc-organizations',
  fix: '[svcAccounts, { signUp: {}, link }], or parts: { provenAddress: (user) => ... }'
}

function badLink(link: string): Problem {
  return {
    code: 'SVC_ORG_LINK',
    message: 'mails of invitations need the URL of your page',
    at: 'svc-organizations.invitations.link',
    got: JSON.stringify(link),
    expected: 'an http or https URL without a fragment and a query',
    fix: "link: 'https://shop.example.org/join'"
  }
}

function isLink(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { protocol, hash, search } = new URL(given)
  return (protocol === 'https:' || protocol === 'http:') && hash === '' && search === ''
}
