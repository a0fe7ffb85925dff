/** Every error that svc-files raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/** 404: the caller's scope has no such file. Fix: check the id, and the scope of the request. */
export const FileNotFound = expectedError('SVC_FILES_NOT_FOUND', 'there is no such file', 404)

/** 413: a file has more bytes than may be stored. Fix: send a smaller one, or raise `maxBytes`. */
export const FileTooLarge = expectedError<[most: string]>(
  'SVC_FILES_TOO_LARGE',
  'the file is larger than %s bytes',
  413
)

/** 413: the files of the scope, or of the owner, would exceed their quota. Fix: remove files, or raise `quota`. */
export const QuotaExceeded = expectedError<[whose: string, most: string]>(
  'SVC_FILES_QUOTA',
  'the files of this %s may have %s bytes together',
  413
)

/** 413: a form has more files, fields or text than the route takes. Fix: send less, or raise `maxFiles`. */
export const FormTooLarge = expectedError<[what: string, options?: ErrorOptions]>(
  'SVC_FILES_FORM_TOO_LARGE',
  'the form has more than the route takes: %s',
  413
)

/** 415: the type of a file is not among those that are taken, or its content is not what its type says. Fix: send one of the types in the message. */
export const UnsupportedFileType = expectedError<[type: string, taken: string]>(
  'SVC_FILES_TYPE',
  'a file of the type %s is not taken here; taken: %s',
  415
)

/** 415: an upload is not `multipart/form-data`. Fix: send a form. */
export const NotAForm = expectedError('SVC_FILES_NOT_A_FORM', 'send the files as multipart/form-data', 415)

/** 400: a form cannot be read, or ends too early. Fix: send a complete form, as RFC 7578 has it. */
export const InvalidForm = expectedError<[fault: string, options?: ErrorOptions]>(
  'SVC_FILES_FORM',
  'the form cannot be read: %s',
  400
)

/** 400: a form has no file. Fix: send at least one part with a file name. */
export const NoFile = expectedError('SVC_FILES_NONE', 'the form has no file', 400)

/** 412: a condition of the request, such as `If-Match`, does not hold. Fix: ask for the file again. */
export const ConditionFailed = expectedError('SVC_FILES_CONDITION', 'the file is not the one that was expected', 412)

/** 416: the file has no byte of the range. Fix: read `Content-Range`, which has the size. */
export const RangeNotSatisfiable = expectedError('SVC_FILES_RANGE', 'the file has no byte of this range', 416)

/** 507: the place of the content is full. Fix: make room. */
export const StorageFull = expectedError('SVC_FILES_FULL', 'there is no room for the file', 507)

/** 503: the place of the content does not answer, or refuses. Fix: read the cause in the log. */
export const StorageUnavailable = createError('SVC_FILES_UNAVAILABLE', 'files are not available at the moment', 503)

/** thrown by a driver, 500: a stored file has no content, or less than it had. Fix: restore it from a backup. */
export const ContentMissing = createError<[id: string, options?: ErrorOptions]>(
  'SVC_FILES_CONTENT_MISSING',
  'the content of the file %s is missing',
  500
)

/** thrown: a call has no scope. Fix: run it within one, or name it: `fastify.files.in(scope)`. */
export const NoFileScope = createError<[call: string]>(
  'SVC_FILES_NO_SCOPE',
  '%s has no scope, and files belong to one',
  500
)

/** thrown: a call of `fastify.files` cannot be as it is. Fix: correct what the message names. */
export const InvalidFileCall = createError<[call: string, fault: string]>('SVC_FILES_CALL', '%s: %s', 500, TypeError)
