/** Every error svc-stores can raise. A code, once published, never changes. Caller mistakes carry no stack. */
import { createError } from '@fastify/error'

/** 409: a unique field (identifier, id, secret hash, social account) is taken. One type on every driver. */
export const DuplicateRecord = createError<[brick: string, field: string]>(
  'SVC_STORE_DUPLICATE',
  'a %s record with this %s exists already',
  409,
  Error,
  false
)

/** 400: a record holds what no store can keep: a control NUL, half a character, NaN, a function, an oversized key. */
export const InvalidRecord = createError<[field: string, why: string]>(
  'SVC_STORE_RECORD',
  'the field "%s" cannot be stored: %s',
  400,
  Error,
  false
)

/** 400: sorting by a field outside the brick's list. Refused, never ignored. */
export const UnknownSortField = createError<[field: string, sortable: string]>(
  'SVC_STORE_SORT',
  'cannot sort by "%s"; sortable fields: %s',
  400,
  Error,
  false
)

/** 400: an unknown filter, or one whose value has the wrong type; `undefined` would widen the query. */
export const InvalidFilter = createError<[filter: string, expected: string]>(
  'SVC_STORE_FILTER',
  'the filter "%s" is not valid; expected %s',
  400,
  Error,
  false
)

/** 400: a page size, offset, direction or cursor that is malformed. */
export const InvalidPage = createError<[field: string, expected: string]>(
  'SVC_STORE_PAGE',
  'the page is not valid: %s must be %s',
  400,
  Error,
  false
)
