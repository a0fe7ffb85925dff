/** Errors of an authenticator that ask the caller to come back, in the two forms that are read. */

export class TooManyRequests extends Error {
  readonly statusCode = 429
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('slow down')
    this.retryAfter = retryAfter
  }
}

export class Unavailable extends Error {
  readonly statusCode = 503
  readonly headers: Record<string, string>

  constructor(retryAfter: string) {
    super('directory is down')
    this.headers = { 'Retry-After': retryAfter }
  }
}
