/** Queries, bodies and answers of the key routes. An undeclared field never leaves. */
import { MAX_EXPIRY_DAYS } from '../options.ts'

const textOrNull = { type: ['string', 'null'] } as const
const timeOrNull = { type: ['integer', 'null'] } as const

const viewProperties = {
  id: { type: 'string' },
  name: textOrNull,
  subject: { type: 'string' },
  tenantId: textOrNull,
  scopes: { type: 'array', items: { type: 'string' } },
  createdAt: { type: 'integer' },
  expiresAt: timeOrNull,
  lastUsedAt: timeOrNull,
  revokedAt: timeOrNull,
  revokedReason: textOrNull
} as const

const view = { type: 'object', properties: viewProperties } as const
const views = { type: 'array', items: view } as const
const ok = { type: 'boolean' } as const
const id = { type: 'string', minLength: 1, maxLength: 100 } as const

export const createSchema = {
  body: {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 200 },
      scopes: {
        type: 'array',
        maxItems: 100,
        uniqueItems: true,
        items: { type: 'string', maxLength: 200, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' }
      },
      expiresInDays: { type: ['integer', 'null'], minimum: 1, maximum: MAX_EXPIRY_DAYS }
    }
  },
  response: { 201: { type: 'object', properties: { ...viewProperties, token: { type: 'string' } } } }
} as const

export const ownSchema = { response: { 200: { type: 'object', properties: { keys: views } } } } as const

export const removeSchema = {
  params: { type: 'object', properties: { id } },
  response: { 200: { type: 'object', properties: { ok } } }
} as const

export const allQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    subject: { type: 'string', minLength: 1, maxLength: 1024 },
    active: { type: 'boolean' },
    q: { type: 'string', minLength: 1, maxLength: 200 },
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, default: 0 }
  }
} as const

export const allSchema = {
  querystring: allQuery,
  response: {
    200: {
      type: 'object',
      properties: {
        keys: views,
        total: { type: 'integer' },
        limit: { type: 'integer' },
        offset: { type: 'integer' },
        hasNext: { type: 'boolean' }
      }
    }
  }
} as const

export const adminRevokeSchema = {
  params: { type: 'object', properties: { id } },
  response: { 200: { type: 'object', properties: { ok, key: view } } }
} as const
