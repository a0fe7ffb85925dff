/** Organisations, for administrators of the application: all of them, one of them, and their suspension. */
import type { FastifyInstance } from 'fastify'
import { closed, textUpTo } from 'svc-kernel/schemas'
import { OrganizationNotFound } from '../errors.ts'
import { type Sections, viewOf } from '../organizations.ts'
import type { OrganizationFilter, OrganizationRecord } from '../records/organization-store.ts'
import { adminDeletionRoutes, adminTransferRoutes } from './admin-closing.routes.ts'
import { adminPartRoutes } from './admin-parts.routes.ts'
import { ADMIN_API, type AdminParts, type ById, changing, one, pageOf, params, reading } from './admin-route.ts'
import * as answers from './answers.ts'
import { organizationsApi } from './organizations-api.ts'

const listing = pageOf(50, 200, { q: textUpTo(200), state: { enum: ['active', 'suspended', 'closing'] } })

interface Listing {
  readonly Querystring: OrganizationFilter & { readonly limit: number; readonly offset: number }
}

export function adminRoutes(fastify: FastifyInstance, parts: AdminParts): void {
  const { service, sections, store, gates } = parts
  const { members } = sections
  const errors = [OrganizationNotFound]
  organizationsApi(fastify, (scope) => {
    scope.get<Listing>(
      ADMIN_API,
      reading('all', 'All organisations, the newest first, with how many members each has', {
        querystring: listing,
        response: { 200: answers.allOrganizations }
      }),
      async ({ query: { limit, offset, ...filter } }) => {
        const found = await store.list(limit + 1, offset, filter)
        const shown = found.slice(0, limit)
        const counts = await members.counts(shown.map(({ id }) => id))
        const organizations = shown.map((record) => ({ ...viewOf(record), members: counts.get(record.id) ?? 0 }))
        return { organizations, hasNext: found.length > limit }
      }
    )
    scope.get<ById>(
      one,
      reading('one', 'An organisation: its state, how many members it has, and an open transfer of its ownership', {
        params: params(),
        response: { 200: answers.wholeOrganization },
        errors
      }),
      async ({ params: { id } }) => {
        const record = await store.find(id)
        if (record === null) throw new OrganizationNotFound()
        return { ...wholeOf(record, sections), members: (await members.counts([id])).get(id) ?? 0 }
      }
    )
    scope.post<ById & { Body: { readonly reason: string } }>(
      `${one}/suspend`,
      changing('suspend', 'Suspends an organisation: closes every door of it at once', gates, {
        params: params(),
        body: closed({ reason: textUpTo(500) }),
        response: { 200: answers.organization },
        errors
      }),
      async ({ params: { id }, body }) => service.suspend(id, body.reason)
    )
    scope.post<ById>(
      `${one}/resume`,
      changing('resume', 'Resumes an organisation that was suspended', gates, {
        params: params(),
        response: { 200: answers.organization },
        errors
      }),
      async ({ params: { id } }) => service.resume(id)
    )
    adminPartRoutes(scope, parts)
    if (sections.transfer !== null) adminTransferRoutes(scope, sections.transfer, parts)
    if (sections.deletion !== null) adminDeletionRoutes(scope, sections.deletion, gates)
  })
}

function wholeOf(record: OrganizationRecord, { invitations, transfer, deletion, keys, domains }: Sections) {
  const { suspendedAt, exportedAt, transferFrom, transferTo } = record
  const on = { invitations, transfer, deletion, keys, domains }
  return {
    ...viewOf(record),
    suspendedAt,
    exportedAt,
    transferFrom,
    transferTo,
    sections: Object.fromEntries(Object.entries(on).map(([name, section]) => [name, section !== null]))
  }
}
