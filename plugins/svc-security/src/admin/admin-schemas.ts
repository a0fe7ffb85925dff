/** Queries and answers of the admin views. An undeclared field never leaves. */

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const flag = { type: 'boolean' } as const
const texts = { type: 'array', items: text } as const

export const firewallSchema = {
  200: {
    type: 'object',
    properties: {
      zones: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: text, pattern: text, authenticators: texts, mode: text, realtime: flag }
        }
      },
      routes: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            method: text,
            path: text,
            transports: texts,
            zone: textOrNull,
            authenticators: texts,
            anonymous: flag,
            bypassFirewall: flag,
            requirement: textOrNull,
            name: textOrNull
          }
        }
      }
    }
  }
} as const

export const rolesSchema = {
  200: {
    type: 'object',
    properties: {
      hierarchy: { type: 'object', additionalProperties: texts },
      roles: { type: 'array', items: { type: 'object', properties: { role: text, inherits: texts } } }
    }
  }
} as const

export const sessionsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    user: { type: 'string', minLength: 1, maxLength: 1024 },
    limit: { type: 'integer', default: 50 },
    offset: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }
  }
} as const

export const sessionsSchema = {
  200: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ref: text,
            user: textOrNull,
            ip: textOrNull,
            userAgent: textOrNull,
            createdAt: { type: 'integer' },
            updatedAt: { type: 'integer' }
          }
        }
      },
      limit: { type: 'integer' },
      offset: { type: 'integer' },
      hasNext: flag
    }
  }
} as const

/** A reference is the SHA-256 of a session id, base64url. */
export const sessionRefSchema = {
  type: 'object',
  properties: { ref: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } }
} as const

export const doneSchema = { 200: { type: 'object', properties: { ok: flag } } } as const
