/** The collections of tokens: keys, and an index for every filter, sort and purge. */
import { sortIndexes } from './sort-indexes.ts'
import type { CollectionPlan } from './store-collection.ts'
import { OPTIONAL_TEXT, OPTIONAL_TIME, storeSchema, TEXT, TEXTS, TIME } from './store-schema.ts'

const KEY = { type: String, required: true }

export const tokenPlan: CollectionPlan = {
  name: 'access_token',
  brick: 'token',
  unique: 'id or secretHash',
  schema: storeSchema('access_token', {
    _id: KEY,
    kind: TEXT,
    name: OPTIONAL_TEXT,
    subject: TEXT,
    tenantId: OPTIONAL_TEXT,
    scopes: TEXTS,
    secretHash: { type: String },
    family: OPTIONAL_TEXT,
    replacedBy: OPTIONAL_TEXT,
    createdAt: TIME,
    expiresAt: OPTIONAL_TIME,
    lastUsedAt: OPTIONAL_TIME,
    revokedAt: OPTIONAL_TIME,
    revokedReason: OPTIONAL_TEXT
  }),
  indexes: [
    {
      key: { secretHash: 1 },
      name: 'unique_secret',
      unique: true,
      partialFilterExpression: { secretHash: { $exists: true } }
    },
    { key: { subject: 1, createdAt: -1, _id: 1 }, name: 'by_subject' },
    { key: { kind: 1, createdAt: -1, _id: 1 }, name: 'by_kind' },
    { key: { tenantId: 1, createdAt: -1, _id: 1 }, name: 'by_tenant' },
    { key: { revokedAt: 1, createdAt: -1, _id: 1 }, name: 'by_revocation' },
    { key: { family: 1 }, name: 'by_family' },
    { key: { expiresAt: 1 }, name: 'by_expiry' },
    ...sortIndexes(['createdAt', 'subject', 'kind'])
  ]
}

export const denialPlan: CollectionPlan = {
  name: 'denied_jti',
  brick: 'denial',
  unique: 'id',
  schema: storeSchema('denied_jti', { _id: KEY, expiresAt: TIME }),
  indexes: [{ key: { expiresAt: 1 }, name: 'by_expiry' }]
}

export const thresholdPlan: CollectionPlan = {
  name: 'subject_revocation',
  brick: 'threshold',
  unique: 'id',
  schema: storeSchema('subject_revocation', { _id: KEY, invalidBefore: TIME }),
  indexes: []
}
