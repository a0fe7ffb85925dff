/** The table of tokens: an index for every filter, sort and purge. */
import { sortIndexes, type TablePlan } from 'svc-stores/table'

export const tokenPlan: TablePlan = {
  name: 'svc_access_token',
  collection: 'access_token',
  record: 'token',
  columns: [
    { name: 'id', type: 'text' },
    { name: 'kind', type: 'text' },
    { name: 'name', type: 'text', nullable: true, searched: true },
    { name: 'subject', type: 'text' },
    { name: 'tenantId', type: 'text', nullable: true },
    { name: 'scopes', type: 'text', list: true },
    { name: 'secretHash', type: 'text', nullable: true },
    { name: 'jkt', type: 'text', nullable: true },
    { name: 'audience', type: 'text', nullable: true },
    { name: 'family', type: 'text', nullable: true },
    { name: 'replacedBy', type: 'text', nullable: true },
    { name: 'proof', type: 'text', nullable: true },
    { name: 'createdAt', type: 'integer' },
    { name: 'expiresAt', type: 'integer', nullable: true },
    { name: 'lastUsedAt', type: 'integer', nullable: true },
    { name: 'revokedAt', type: 'integer', nullable: true },
    { name: 'revokedReason', type: 'text', nullable: true }
  ],
  indexes: [
    { columns: ['secretHash'], unique: true, name: 'unique_secret' },
    // In SQL without `id` behind a key as long as itself: two such would not fit the entry of an index.
    { columns: ['subject', ['createdAt', 'desc']], on: 'sql' },
    { columns: ['subject', ['createdAt', 'desc'], 'id'], name: 'by_subject', on: 'documents' },
    { columns: ['kind', ['createdAt', 'desc'], 'id'], name: 'by_kind' },
    { columns: ['tenantId', ['createdAt', 'desc']], held: 'tenantId', on: 'sql' },
    { columns: ['tenantId', ['createdAt', 'desc'], 'id'], name: 'by_tenant', on: 'documents' },
    { columns: [['createdAt', 'desc'], 'id'], on: 'sql' },
    { columns: ['family'], held: 'family', on: 'sql' },
    { columns: ['family'], name: 'by_family', on: 'documents' },
    { columns: ['expiresAt'], held: 'expiresAt', on: 'sql' },
    { columns: ['expiresAt'], name: 'by_expiry', on: 'documents' },
    { columns: ['revokedAt'], held: 'revokedAt', on: 'sql' },
    { columns: ['revokedAt', ['createdAt', 'desc'], 'id'], name: 'by_revocation', on: 'documents' },
    ...sortIndexes(['createdAt', 'subject', 'kind'])
  ]
}
