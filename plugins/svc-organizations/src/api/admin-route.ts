/**
 * Options of routes for administrators of the application. They are of no organisation, whatever the request names: an
 * administrator need not be a member.
 */
import type { FastifySchema } from 'fastify'
import { adminChange, adminRoute, type GatesPort, strictQuery } from 'svc-kernel/plugin'
import { closed, object } from 'svc-kernel/schemas'
import type { Organizations, Sections } from '../organizations.ts'
import type { OrganizationStore } from '../records/organization-store.ts'
import { byId } from './organizations-api.ts'

export const ADMIN_API = '/svc/organizations/api/organizations'

/** One organisation, by its id. */
export const one = `${ADMIN_API}/:id`

export interface ById {
  readonly Params: { readonly id: string }
}

/** What the routes stand on. */
export interface AdminParts {
  readonly service: Organizations
  readonly sections: Sections
  readonly store: Pick<OrganizationStore, 'find' | 'list'>
  readonly gates: Pick<GatesPort, 'csrf' | 'rights'>
}

/** The query of a list. @param usual rows of a page @param most rows of a page */
export function pageOf(usual: number, most: number, filters: Readonly<Record<string, object>> = {}) {
  return closed(
    {},
    {
      ...filters,
      limit: { type: 'integer', minimum: 1, maximum: most, default: usual },
      offset: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0 }
    }
  )
}

/** @param name what reports call it @param besides another role that is required */
export function reading(name: string, summary: string, schema: FastifySchema, besides: string | null = null) {
  return described(adminRoute(`svc.organizations.${name}`, besides), summary, schema)
}

/** @param name what reports call it */
export function changing(name: string, summary: string, { csrf }: Pick<GatesPort, 'csrf'>, schema: FastifySchema) {
  return described(adminChange(`svc.organizations.${name}`, csrf), summary, schema)
}

/** A change that asks for a recent proof, as that of a user's roles does. */
export function provenChange(
  name: string,
  summary: string,
  gates: Pick<GatesPort, 'csrf' | 'rights'>,
  schema: FastifySchema
) {
  const route = changing(name, summary, gates, schema)
  const { proof } = gates.rights
  return proof === null ? route : { ...route, config: { ...route.config, proof } }
}

/** The parameters of a path below that of an organisation. */
export const params = (...names: readonly string[]) =>
  object(Object.fromEntries(['id', ...names].map((name) => [name, byId])))

function described<Route extends { readonly config: object }>(route: Route, summary: string, schema: FastifySchema) {
  const { properties = {} } = (schema.querystring ?? {}) as { readonly properties?: object }
  return {
    ...route,
    config: { ...route.config, organization: false as const },
    preValidation: strictQuery(Object.keys(properties)),
    schema: { ...schema, tags: ['organizations'], summary }
  }
}
