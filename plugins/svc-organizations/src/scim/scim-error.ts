/** Errors as SCIM answers them (RFC 7644, 3.12). */

/** Words of RFC 7644, 3.12, for a 400 or 409. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export class ScimError extends Error {
  readonly statusCode: number
  readonly scimType: ScimType | undefined

  constructor(statusCode: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.statusCode = statusCode
    this.scimType = scimType
  }
}

export function scimErrorBody(status: number, detail: string, scimType?: ScimType) {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  return { schemas, status: String(status), detail, ...(scimType === undefined ? {} : { scimType }) }
}
