/** What the application serves of what the console shows: a page without its API says which plugin brings it. */
import type { FastifyInstance } from 'fastify'

/** A route that stands for each, by the name the pages know it under. */
const MARKS: Readonly<Record<string, readonly [method: 'GET' | 'POST', url: string]>> = {
  passwords: ['POST', '/svc/security/api/auth/login'],
  passkeys: ['POST', '/svc/security/api/webauthn/login/options'],
  account: ['GET', '/svc/security/api/auth/sessions'],
  access: ['POST', '/svc/security/api/explain'],
  people: ['GET', '/svc/security/api/users'],
  requests: ['GET', '/svc/ops/api/requests'],
  limits: ['GET', '/svc/limits/api/limits'],
  data: ['GET', '/svc/orm/api/graph'],
  system: ['GET', '/svc/ops/api/system'],
  codes: ['POST', '/svc/security/api/totp/enroll'],
  keys: ['POST', '/svc/security/api/keys'],
  sessions: ['GET', '/svc/security/api/sessions'],
  impersonation: ['POST', '/svc/security/api/impersonation'],
  audit: ['GET', '/svc/security/api/audit/events'],
  webhooks: ['GET', '/svc/security/api/webhooks'],
  jobs: ['GET', '/svc/jobs/api/jobs'],
  organizations: ['GET', '/svc/organizations/api/organizations'],
  mail: ['GET', '/svc/mail/api/outbox'],
  realtime: ['GET', '/svc/realtime']
}

/** Names, in the order of the table. Ask when every plugin is registered. */
export function servedApis(fastify: Pick<FastifyInstance, 'hasRoute'>): string[] {
  return Object.entries(MARKS)
    .filter(([, [method, url]]) => fastify.hasRoute({ method, url }))
    .map(([name]) => name)
}
