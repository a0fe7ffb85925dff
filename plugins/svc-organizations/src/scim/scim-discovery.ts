/** What a provisioning system asks first (RFC 7643, 5 to 7): what the service can, its resources and their attributes. */
import { GROUP_SCHEMA } from './scim-groups.ts'
import { USER_SCHEMA } from './scim-users.ts'

const off = { supported: false }

export const SERVICE_PROVIDER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 1000 },
  changePassword: off,
  sort: { supported: true },
  etag: off,
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Key of the organisation', description: 'A key with the permission provisioning' }
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' }
}

const resourceType = (name: string, endpoint: string, schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  schema,
  meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${name}` }
})

export const RESOURCE_TYPES = [
  resourceType('User', '/Users', USER_SCHEMA),
  resourceType('Group', '/Groups', GROUP_SCHEMA)
]

const attribute = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more
})

const schema = (id: string, name: string, attributes: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  attributes,
  meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${id}` }
})

const values = { multiValued: true, subAttributes: [attribute('value', 'string'), attribute('type', 'string')] }

export const SCHEMAS = [
  schema(USER_SCHEMA, 'User', [
    attribute('userName', 'string', { required: true, uniqueness: 'server' }),
    attribute('externalId', 'string', { caseExact: true }),
    attribute('displayName', 'string'),
    attribute('name', 'complex', {
      subAttributes: ['formatted', 'familyName', 'givenName'].map((name) => attribute(name, 'string'))
    }),
    attribute('emails', 'complex', values),
    attribute('active', 'boolean')
  ]),
  schema(GROUP_SCHEMA, 'Group', [
    attribute('displayName', 'string', { required: true, uniqueness: 'server' }),
    attribute('externalId', 'string', { caseExact: true }),
    attribute('members', 'complex', values)
  ])
]
