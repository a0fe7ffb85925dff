/** Every error that svc-test raises. A published code never changes. */
import { createError } from '@fastify/error'
import { expectedError } from 'svc-kernel/plugin'

/**
 * 401: the receiver of svc-test: the signature of a message does not match. Fix: URL-encode `?secret=`; sign exactly
 * the bytes that you send.
 */
export const BadSignature = expectedError(
  'SVC_TEST_SIGNATURE',
  'bad signature: URL-encode ?secret=, and sign exactly the body that you send',
  401
)

/**
 * 400: the receiver of svc-test: a header is missing, malformed or stale, or `?secret=` is missing. Fix: correct what
 * the message names.
 */
export const BadMessage = expectedError<[finding: string]>('SVC_TEST_MESSAGE', '%s', 400)

/** 503: the receiver of svc-test: 1000 slow answers are waiting. Fix: wait. */
export const TooManySlow = expectedError('SVC_TEST_BUSY', 'too many slow answers are waiting', 503)

/**
 * thrown: the folder given to `buildApp` contains no application. Fix: pass the folder of `app.ts`, or of the
 * compiled `app.js`.
 */
export const NoApplication = createError<[folder: string, expected: string]>(
  'SVC_TEST_NO_APP',
  'there is no application in %s; looked for %s with an application as its default export',
  500,
  TypeError
)

/**
 * thrown: the application given to `actingAs` was not built by `buildApp`, or its config does not list svc-security.
 * Fix: build it with `buildApp`, and list `[svcSecurity, options]` in `modules`.
 */
export const CannotAct = createError(
  'SVC_TEST_CANNOT_ACT',
  'actingAs works on applications that buildApp made, whose config lists svc-security itself: put [svcSecurity, options] ' +
    'into modules, and not into a module of your own',
  500,
  TypeError
)

/**
 * thrown: the application given to `jobsOf` was not built by `buildApp`, or does not load svc-jobs. Fix: build it with
 * `buildApp`, and list svc-jobs or svc-mail in `modules`.
 */
export const CannotDrain = createError(
  'SVC_TEST_NO_JOBS',
  'jobsOf works on applications that buildApp made and that load svc-jobs: list it, or svc-mail, in modules',
  500,
  TypeError
)

/** thrown: attempts of a drain failed, or jobs were parked. Fix: read the reasons in the message; `allowFailures: true` returns them. */
export const JobsFailed = createError<[attempts: string]>('SVC_TEST_JOBS_FAILED', 'jobs failed: %s', 500)

/** thrown: a drain does not come to its end. Fix: find the job that adds itself without a delay, or advance the clock in smaller steps. */
export const TooManyJobs = createError<[most: string, what: string]>(
  'SVC_TEST_JOBS_ENDLESS',
  'still due after %s: %s',
  500
)

/** thrown: `ran` asks for a job that the application does not define. Fix: correct the name. */
export const UnknownJobName = createError<[name: string, known: string]>(
  'SVC_TEST_UNKNOWN_JOB',
  'no job is named "%s"; known: %s',
  500,
  TypeError
)

/** thrown: `advance` on an application without a clock of the test. Fix: `buildApp(dir, { clock: new ManualClock() })`. */
export const CannotAdvance = createError(
  'SVC_TEST_NO_CLOCK',
  'the application runs by the clock of the machine: build it with buildApp(dir, { clock: new ManualClock() })',
  500,
  TypeError
)

/** thrown: a span of time cannot be read. Fix: write a whole number and a unit, such as `1h`. */
export const NoSpan = createError<[got: string, units: string]>(
  'SVC_TEST_SPAN',
  '%s is no span of time: expected a whole number and one of %s, such as 1h',
  500,
  TypeError
)

/** thrown: the application has no outbox of mails. Fix: list svc-mail in `modules`, and build in mode `test`. */
export const CannotReadMails = createError(
  'SVC_TEST_NO_OUTBOX',
  'mailsOf works on applications that load svc-mail and keep mails in its outbox: list svc-mail in modules, and build in mode test',
  500,
  TypeError
)

/** thrown: no mail fits what `last` asks for. Fix: compare with what was sent, in the message; run the jobs first. */
export const NoMailSent = createError<[filter: string, sent: string]>(
  'SVC_TEST_NO_MAIL',
  'no mail fits %s; sent so far: %s',
  500
)

/** thrown: a socket of the application does not open. Fix: as the message says; `callers.http` shows the status. */
export const NoSocketDoor = createError<[reason: string]>(
  'SVC_TEST_NO_SOCKET',
  'no socket of the application opens: %s',
  500,
  TypeError
)

/** thrown: no package has added this door. Fix: import the package that adds it. */
export const NoSuchDoor = createError<[name: string, known: string]>(
  'SVC_TEST_NO_DOOR',
  'callers have no door %s; known: %s',
  500,
  TypeError
)

/** thrown: the caller may not add the job, or its body does not fit. Fix: read the answer in the message. */
export const JobNotAdded = createError<[name: string, status: string, body: string]>(
  'SVC_TEST_JOB_NOT_ADDED',
  'the job %s was not added: %s %s'
)

/** thrown: the application has no tools. Fix: list svc-mcp in `modules`. */
export const NoToolDoor = createError(
  'SVC_TEST_NO_TOOLS',
  'callers.tool works on applications that load svc-mcp: list it in modules',
  500,
  TypeError
)

/** thrown: the endpoint of tools refuses the caller, or has no such tool. Fix: read the answer in the message. */
export const ToolRefused = createError<[method: string, status: string, answer: string]>(
  'SVC_TEST_TOOL_REFUSED',
  'the endpoint refused %s: %s %s',
  500
)
