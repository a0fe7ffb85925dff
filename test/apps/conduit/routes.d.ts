// Written by svc dev and svc build from the routes of this application. Changes are overwritten.
import type { PathValue, Returned, Taken } from 'svc-client'
import type { Accounts } from './accounts-controller.js'
import type { Articles } from './articles-controller.js'
import type { Comments } from './comments-controller.js'

interface Errors1 { SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_DENIED: 403; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors2 { SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors3 { SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_DENIED: 403; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors4 { SVC_HTTP_INTERNAL: 500; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors5 { SVC_HTTP_INTERNAL: 500; SVC_SEC_DENIED: 403; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors6 { SVC_HTTP_INTERNAL: 500 }

interface Errors7 { SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_SESSION: 401 }

interface Errors8 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_DENIED: 403; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors9 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_UNAUTHENTICATED: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors10 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_BUSY: 503; SVC_SEC_CREDENTIALS: 401; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_SESSION: 401; SVC_SEC_THROTTLED: 429 }

interface Errors11 { SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_GRANT_UNKNOWN: 404; SVC_SEC_PROOF_DUE: 403; SVC_SEC_SESSION: 401 }

interface Errors12 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_BUSY: 503; SVC_SEC_CREDENTIALS: 401; SVC_SEC_CROSS_SITE: 403; SVC_SEC_THROTTLED: 429; SVC_SEC_UNAVAILABLE: 503 }

interface Errors13 { SVC_HTTP_INTERNAL: 500; SVC_SEC_CROSS_SITE: 403; SVC_SEC_UNAVAILABLE: 503 }

interface Errors14 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_BUSY: 503; SVC_SEC_CREDENTIALS: 401; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_PASSWORD: 400; SVC_SEC_PASSWORD_ELSEWHERE: 409; SVC_SEC_SESSION: 401; SVC_SEC_THROTTLED: 429 }

interface Errors15 { SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_PROOF_DUE: 403; SVC_SEC_SESSION: 401; SVC_SEC_SESSION_UNKNOWN: 404 }

interface Errors16 { SVC_HTTP_INTERNAL: 500; SVC_SEC_CROSS_SITE: 403; SVC_SEC_CSRF: 403; SVC_SEC_PROOF_DUE: 403; SVC_SEC_SESSION: 401 }

interface Errors17 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_BUSY: 503; SVC_SEC_CREDENTIALS: 401; SVC_SEC_DPOP_NONCE: 400; SVC_SEC_DPOP_PROOF: 400; SVC_SEC_SECOND_FACTOR: 403; SVC_SEC_TARGET: 400; SVC_SEC_THROTTLED: 429; SVC_SEC_UNAVAILABLE: 503 }

interface Errors18 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_DPOP_NONCE: 400; SVC_SEC_DPOP_PROOF: 400; SVC_SEC_TOKEN: 401; SVC_SEC_UNAVAILABLE: 503 }

interface Errors19 { FST_ERR_CTP_BODY_TOO_LARGE: 413; FST_ERR_CTP_EMPTY_JSON_BODY: 400; FST_ERR_CTP_INVALID_JSON_BODY: 400; FST_ERR_CTP_INVALID_MEDIA_TYPE: 415; SVC_HTTP_INTERNAL: 500; SVC_HTTP_VALIDATION: 400; SVC_SEC_UNAVAILABLE: 503 }

/** The routes of this application, for `createClient<Routes>()`. */
export interface Routes {
  'DELETE /api/articles/:slug': { input: { params: { slug: PathValue } }; answer: Returned<Articles['remove']>; errors: Errors1 }
  'DELETE /api/articles/:slug/comments/:id': { input: { params: { slug: PathValue; id: PathValue } }; answer: Returned<Comments['remove']>; errors: Errors1 }
  'DELETE /api/articles/:slug/favorite': { input: { params: { slug: PathValue } }; answer: { article: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean }; body: string } }; errors: Errors1 }
  'DELETE /api/profiles/:username/follow': { input: { params: { username: PathValue } }; answer: { profile: { username: string; bio: string | null; image: string | null; following: boolean } }; errors: Errors1 }
  'GET /api/articles': { input: { query?: { limit?: number; offset?: number; tag?: string; author?: string; favorited?: string } }; answer: { articles: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean } }[]; articlesCount: number }; errors: Errors2 }
  'GET /api/articles/:slug': { input: { params: { slug: PathValue } }; answer: { article: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean }; body: string } }; errors: Errors2 }
  'GET /api/articles/:slug/comments': { input: { params: { slug: PathValue } }; answer: { comments: { id: number; createdAt: string; updatedAt: string; body: string; author: { username: string; bio: string | null; image: string | null; following: boolean } }[] }; errors: Errors2 }
  'GET /api/articles/feed': { input: { query?: { limit?: number; offset?: number } }; answer: { articles: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean } }[]; articlesCount: number }; errors: Errors3 }
  'GET /api/profiles/:username': { input: { params: { username: PathValue } }; answer: { profile: { username: string; bio: string | null; image: string | null; following: boolean } }; errors: Errors2 }
  'GET /api/tags': { input: object; answer: { tags: string[] }; errors: Errors4 }
  'GET /api/user': { input: object; answer: { user: { email: string; token: string; username: string; bio: string | null; image: string | null } }; errors: Errors5 }
  'GET /svc/security/api/auth/csrf': { input: object; answer: { csrfToken: string }; errors: Errors6 }
  'GET /svc/security/api/auth/grants': { input: object; answer: { grants: { ref: string; device: string | null; scopes: string[]; renewedAt: number; expiresAt: number | null }[] }; errors: Errors6 }
  'GET /svc/security/api/auth/me': { input: object; answer: { user: { identifier: string; roles: string[] }; csrfToken: string }; errors: Errors6 }
  'GET /svc/security/api/auth/sessions': { input: { query?: { limit?: number; offset?: number } }; answer: { sessions: { ref: string; current: boolean; ip: string | null; userAgent: string | null; createdAt: number; updatedAt: number }[]; limit: number; offset: number; hasNext: boolean }; errors: Errors7 }
  'POST /api/articles': { input: { body: Taken<Articles['write'], 0> }; answer: { article: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean }; body: string } }; errors: Errors8 }
  'POST /api/articles/:slug/comments': { input: { params: { slug: PathValue }; body: Taken<Comments['write'], 1> }; answer: { comment: { id: number; createdAt: string; updatedAt: string; body: string; author: { username: string; bio: string | null; image: string | null; following: boolean } } }; errors: Errors8 }
  'POST /api/articles/:slug/favorite': { input: { params: { slug: PathValue } }; answer: { article: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean }; body: string } }; errors: Errors1 }
  'POST /api/profiles/:username/follow': { input: { params: { username: PathValue } }; answer: { profile: { username: string; bio: string | null; image: string | null; following: boolean } }; errors: Errors1 }
  'POST /api/users': { input: { body: Taken<Accounts['register'], 0> }; answer: { user: { email: string; token: string; username: string; bio: string | null; image: string | null } }; errors: Errors9 }
  'POST /api/users/login': { input: { body: Taken<Accounts['login'], 0> }; answer: { user: { email: string; token: string; username: string; bio: string | null; image: string | null } }; errors: Errors9 }
  'POST /svc/security/api/auth/confirm': { input: { body: { password: string } }; answer: { ok: boolean }; errors: Errors10 }
  'POST /svc/security/api/auth/grants/:ref/revoke': { input: { params: { ref: PathValue } }; answer: { ok: boolean }; errors: Errors11 }
  'POST /svc/security/api/auth/login': { input: { body: { username: string; password: string } }; answer: { user: { identifier: string; roles: string[] } } | { mfaRequired: true; methods: string[] }; errors: Errors12 }
  'POST /svc/security/api/auth/logout': { input: object; answer: { ok: boolean }; errors: Errors13 }
  'POST /svc/security/api/auth/password': { input: { body: { current: string; password: string } }; answer: { ok: boolean }; errors: Errors14 }
  'POST /svc/security/api/auth/sessions/:ref/revoke': { input: { params: { ref: PathValue } }; answer: { ok: boolean }; errors: Errors15 }
  'POST /svc/security/api/auth/sessions/revoke-others': { input: object; answer: { count: number; grants: number }; errors: Errors16 }
  'POST /svc/security/api/token': { input: { body: { username: string; password: string; scope?: string; resource?: string } }; answer: { access_token: string; refresh_token: string; token_type: string; expires_in: number; scope: string }; errors: Errors17 }
  'POST /svc/security/api/token/refresh': { input: { body: { refresh_token: string } }; answer: { access_token: string; refresh_token: string; token_type: string; expires_in: number; scope: string }; errors: Errors18 }
  'POST /svc/security/api/token/revoke': { input: { body: { token: string } }; answer: { ok: boolean }; errors: Errors19 }
  'PUT /api/articles/:slug': { input: { params: { slug: PathValue }; body: Taken<Articles['change'], 1> }; answer: { article: { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: { username: string; bio: string | null; image: string | null; following: boolean }; body: string } }; errors: Errors8 }
  'PUT /api/user': { input: { body: Taken<Accounts['change'], 0> }; answer: { user: { email: string; token: string; username: string; bio: string | null; image: string | null } }; errors: Errors8 }
}
