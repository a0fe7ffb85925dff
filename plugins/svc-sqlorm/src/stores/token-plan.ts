/** The tables of tokens: keys, and an index for every filter, sort and purge. */
import { foldOf, integer, list, optionalInteger, optionalText, text } from './store-columns.ts'
import type { StorePlan } from './store-table.ts'

export const tokenPlan: StorePlan = {
  brick: 'token',
  unique: 'id or secretHash',
  table: {
    name: 'svc_access_token',
    columns: [
      text('id'),
      text('kind'),
      optionalText('name'),
      foldOf('name'),
      text('subject'),
      optionalText('tenantId'),
      list('scopes'),
      optionalText('secretHash'),
      optionalText('family'),
      optionalText('replacedBy'),
      integer('createdAt'),
      optionalInteger('expiresAt'),
      optionalInteger('lastUsedAt'),
      optionalInteger('revokedAt'),
      optionalText('revokedReason')
    ],
    // Without `id` behind a key as long as itself: two such would not fit the entry of an index.
    indexes: [
      { columns: ['secretHash'], unique: true },
      { columns: ['subject', ['createdAt', 'desc']] },
      { columns: ['kind', ['createdAt', 'desc'], 'id'] },
      { columns: ['tenantId', ['createdAt', 'desc']], held: 'tenantId' },
      { columns: [['createdAt', 'desc'], 'id'] },
      { columns: ['family'], held: 'family' },
      { columns: ['expiresAt'], held: 'expiresAt' },
      { columns: ['revokedAt'], held: 'revokedAt' }
    ]
  }
}

export const denialPlan: StorePlan = {
  brick: 'denial',
  unique: 'id',
  table: {
    name: 'svc_denied_jti',
    columns: [text('id'), integer('expiresAt')],
    indexes: [{ columns: ['expiresAt'] }]
  }
}

export const thresholdPlan: StorePlan = {
  brick: 'threshold',
  unique: 'id',
  table: { name: 'svc_subject_revocation', columns: [text('id'), integer('invalidBefore')] }
}
