/** The one error body, whatever was thrown. */
import t from 'tap'
import { AccessDenied, NotFound } from '../../src/errors.ts'
import { errorBody } from '../../src/http-errors/error-body.ts'

const error = (fields: object, message = 'it failed'): Error => Object.assign(new Error(message), fields)
const validation = [
  { instancePath: '/url', message: 'must be string', params: {} },
  { instancePath: '', message: 'must have required property', params: { missingProperty: 'events' } },
  { instancePath: '/meta', message: 'must NOT have additional properties', params: { additionalProperty: 'x' } },
  { instancePath: '', message: 'must be object' },
  {}
]

interface Expected {
  statusCode: number
  code: string
  error: string
  message: string
  details?: unknown
}

const rows: ReadonlyArray<[title: string, thrown: unknown, development: Expected, production?: Partial<Expected>]> = [
  [
    'a denial',
    new AccessDenied(),
    { statusCode: 403, code: 'SVC_SEC_DENIED', error: 'Forbidden', message: 'access denied' }
  ],
  [
    'not found',
    new NotFound(),
    { statusCode: 404, code: 'SVC_HTTP_NOT_FOUND', error: 'Not Found', message: 'not found' }
  ],
  [
    'a caller mistake without a code',
    error({ statusCode: 409 }),
    { statusCode: 409, code: 'SVC_HTTP_409', error: 'Conflict', message: 'it failed' }
  ],
  [
    'status in place of statusCode',
    error({ status: 410 }),
    { statusCode: 410, code: 'SVC_HTTP_410', error: 'Gone', message: 'it failed' }
  ],
  [
    'a plain error',
    error({}),
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'it failed' },
    { message: 'internal error' }
  ],
  [
    'a foreign code',
    error({ code: 'ECONNREFUSED' }, 'connect 10.0.0.7:5432'),
    { statusCode: 500, code: 'ECONNREFUSED', error: 'Internal Server Error', message: 'connect 10.0.0.7:5432' },
    { code: 'SVC_HTTP_INTERNAL', message: 'internal error' }
  ],
  [
    'details in the form of the body',
    error({ statusCode: 409, details: [{ path: '/slug', message: 'is held by another row', value: 'x' }] }),
    {
      statusCode: 409,
      code: 'SVC_HTTP_409',
      error: 'Conflict',
      message: 'it failed',
      details: [{ path: '/slug', message: 'is held by another row' }]
    }
  ],
  [
    'details of a foreign form',
    error({ statusCode: 400, details: [{ path: ['a'], message: 'x' }] }),
    { statusCode: 400, code: 'SVC_HTTP_400', error: 'Bad Request', message: 'it failed' }
  ],
  [
    '503',
    error({ statusCode: 503, code: 'SVC_X' }),
    { statusCode: 503, code: 'SVC_X', error: 'Service Unavailable', message: 'it failed' },
    { message: 'internal error' }
  ],
  [
    '503 that asks to be shown',
    error({ statusCode: 503, code: 'SVC_X', expose: true }),
    { statusCode: 503, code: 'SVC_X', error: 'Service Unavailable', message: 'it failed' },
    {}
  ],
  [
    'a truthy expose is not true',
    error({ statusCode: 503, code: 'SVC_X', expose: 'yes' }),
    { statusCode: 503, code: 'SVC_X', error: 'Service Unavailable', message: 'it failed' },
    { message: 'internal error' }
  ],
  [
    'a status nobody knows',
    error({ statusCode: 599 }),
    { statusCode: 599, code: 'SVC_HTTP_INTERNAL', error: 'Error', message: 'it failed' },
    { message: 'internal error' }
  ],
  [
    'a status that is no error',
    error({ statusCode: 200 }),
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'it failed' },
    { message: 'internal error' }
  ],
  [
    'a status that is no number',
    error({ statusCode: '404' }),
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'it failed' },
    { message: 'internal error' }
  ],
  [
    'an unusable statusCode beside a status',
    error({ statusCode: 0, status: 404 }),
    { statusCode: 404, code: 'SVC_HTTP_404', error: 'Not Found', message: 'it failed' }
  ],
  [
    'an empty message',
    error({ statusCode: 404 }, ''),
    { statusCode: 404, code: 'SVC_HTTP_404', error: 'Not Found', message: 'Not Found' }
  ],
  [
    'a message that is no text',
    { statusCode: 400, message: { secret: 1 } },
    { statusCode: 400, code: 'SVC_HTTP_400', error: 'Bad Request', message: 'Bad Request' }
  ],
  [
    'text',
    'boom',
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'Internal Server Error' },
    { message: 'internal error' }
  ],
  [
    'null',
    null,
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'Internal Server Error' },
    { message: 'internal error' }
  ],
  [
    'undefined',
    undefined,
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'Internal Server Error' },
    { message: 'internal error' }
  ],
  [
    'a violated schema',
    error(
      { validation, validationContext: 'body', statusCode: 400, code: 'FST_ERR_VALIDATION' },
      'body/url must be string'
    ),
    {
      statusCode: 400,
      code: 'SVC_HTTP_VALIDATION',
      error: 'Bad Request',
      message: 'the body is not valid',
      details: [
        { path: '/url', message: 'must be string' },
        { path: '/events', message: 'is required' },
        { path: '/meta/x', message: 'is not a known key' },
        { path: '/', message: 'must be object' },
        { path: '/', message: 'is not valid' }
      ]
    }
  ],
  [
    'a violated schema with a status of its own',
    error({ validation: [], statusCode: 422 }),
    {
      statusCode: 422,
      code: 'SVC_HTTP_VALIDATION',
      error: 'Unprocessable Entity',
      message: 'the input is not valid',
      details: []
    }
  ],
  [
    "a violated schema is the caller's mistake",
    error({ validation: [], statusCode: 500 }),
    {
      statusCode: 400,
      code: 'SVC_HTTP_VALIDATION',
      error: 'Bad Request',
      message: 'the input is not valid',
      details: []
    }
  ],
  [
    'a getter that throws',
    Object.defineProperty({}, 'statusCode', {
      get: () => {
        throw new Error('trap')
      }
    }),
    { statusCode: 500, code: 'SVC_HTTP_INTERNAL', error: 'Internal Server Error', message: 'Internal Server Error' },
    { message: 'internal error' }
  ]
]

for (const [title, thrown, development, production = {}] of rows) {
  t.test(title, async (t) => {
    t.strictSame(errorBody(thrown, false), development)
    t.strictSame(errorBody(thrown, true), { ...development, ...production })
  })
}

t.test('a fallback status serves what has none of its own', async (t) => {
  t.equal(errorBody(new Error('x'), true, 404).statusCode, 404)
  t.equal(errorBody(error({ statusCode: 409 }), true, 404).statusCode, 409)
})

t.test('details of a fault within stay within in production', async (t) => {
  const fault = error({ details: [{ path: '/x', message: 'y' }] })
  t.match(errorBody(fault, false), { details: [{ path: '/x', message: 'y' }] })
  t.notOk('details' in errorBody(fault, true))
})
