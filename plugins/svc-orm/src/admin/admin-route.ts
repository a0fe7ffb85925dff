/**
 * What the views of the database share: the guard, which travels with each
 * route, so that where no firewall and no jury let an administrator in they answer 403.
 */
import { guardHooks, type Requirement, type RouteSecurity, strictQuery } from 'svc-kernel'

/** svc-security holds `/svc/<plugin>/api` in a zone of its own: these routes have an identity without configuration. */
export const ORM_API = '/svc/orm/api'

const requirement: Requirement = [[{ attribute: 'ROLE_SVC_ADMIN' }]]

const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: { connector: { type: 'string', minLength: 1, maxLength: 100 } }
} as const

const params = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 100 }, format: { type: 'string', maxLength: 100 } }
} as const

/** Route options of a view. @param name what reports call it @param answer schema of the 200 */
export function adminRoute(name: string, answer: object) {
  const svc: RouteSecurity = {
    name: `svc.orm.${name}`,
    requirement,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: null
  }
  return {
    ...guardHooks(requirement),
    preValidation: strictQuery(Object.keys(querystring.properties)),
    config: { svc },
    schema: { querystring, params, response: { 200: answer } }
  }
}
