/**
 * A command that failed, as a client sees it: MongoDB's number and name of the failure, and what belongs to it.
 * Drivers and Mongoose act on the number and on the labels, never on the text.
 */

/** Names of the codes this engine answers with. */
const NAMES: Readonly<Record<number, string>> = {
  1: 'InternalError',
  2: 'BadValue',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  15: 'Overflow',
  20: 'IllegalOperation',
  22: 'InvalidBSON',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  50: 'MaxTimeMSExpired',
  52: 'DollarPrefixedFieldName',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  79: 'UnknownReplWriteConcern',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  100: 'UnsatisfiableWriteConcern',
  112: 'WriteConflict',
  115: 'CommandNotSupported',
  168: 'InvalidPipelineOperator',
  197: 'InvalidIndexSpecificationOption',
  171: 'CannotIndexParallelArrays',
  225: 'TransactionTooOld',
  238: 'NotImplemented',
  251: 'NoSuchTransaction',
  256: 'TransactionCommitted',
  263: 'OperationNotSupportedInTransaction',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  14031: 'OutOfDiskSpace'
}

/** What a failure carries beside code and text. */
export interface FailureDetails {
  readonly labels?: readonly string[]
  /** Added to the answer as they are, such as `keyPattern` and `keyValue`. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: number
  readonly labels: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>

  constructor(code: number, message: string, { labels = [], fields = {} }: FailureDetails = {}) {
    super(message)
    this.code = code
    this.labels = labels
    this.fields = fields
  }

  get codeName(): string {
    return NAMES[this.code] ?? `Location${this.code}`
  }

  /** The failure as the answer to a command. */
  toReply(): Record<string, unknown> {
    const labels = this.labels.length > 0 ? { errorLabels: this.labels } : {}
    return { ok: 0, errmsg: this.message, code: this.code, codeName: this.codeName, ...this.fields, ...labels }
  }
}

/** What MongoDB can and this engine cannot: refused by name, never ignored. */
export function notImplemented(what: string): CommandError {
  return new CommandError(238, `${what} is not available in the embedded development engine`)
}
