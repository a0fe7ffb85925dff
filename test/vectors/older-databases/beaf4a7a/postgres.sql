SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.article (
    id text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    body text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    reads bigint DEFAULT 0 NOT NULL,
    rating double precision,
    tags jsonb,
    days jsonb,
    settings jsonb DEFAULT '"none"'::jsonb NOT NULL,
    "publishedAt" timestamp(3) with time zone,
    "authorId" text NOT NULL COLLATE pg_catalog."C",
    "formerId" text COLLATE pg_catalog."C",
    "createdAt" timestamp(3) with time zone NOT NULL,
    "updatedAt" timestamp(3) with time zone NOT NULL,
    CONSTRAINT article_rating_check CHECK (((rating >= ('-179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision) AND (rating <= ('179769313486231570000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'::numeric)::double precision))),
    CONSTRAINT article_reads_check CHECK (((reads >= '-9007199254740991'::bigint) AND (reads <= '9007199254740991'::bigint)))
);
CREATE TABLE public.author (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    born timestamp(3) with time zone,
    profile jsonb,
    active boolean DEFAULT true NOT NULL
);
CREATE TABLE public.ledger (
    id text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL COLLATE pg_catalog."C",
    amount bigint NOT NULL,
    units bigint DEFAULT 0 NOT NULL,
    "on" text NOT NULL COLLATE pg_catalog."C",
    ref text COLLATE pg_catalog."C",
    state text DEFAULT 'open'::text NOT NULL COLLATE pg_catalog."C",
    scan bytea,
    marks jsonb,
    facts jsonb,
    "secretNote" text COLLATE pg_catalog."C",
    "createdAt" timestamp(3) with time zone NOT NULL,
    "updatedAt" timestamp(3) with time zone NOT NULL,
    "deletedAt" timestamp(3) with time zone,
    version bigint DEFAULT 1 NOT NULL,
    CONSTRAINT ledger_version_check CHECK (((version >= '-9007199254740991'::bigint) AND (version <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_access_token (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    "nameFolded" text COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    "tenantId" text COLLATE pg_catalog."C",
    scopes jsonb NOT NULL,
    "secretHash" text COLLATE pg_catalog."C",
    family text COLLATE pg_catalog."C",
    "replacedBy" text COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "expiresAt" bigint,
    "lastUsedAt" bigint,
    "revokedAt" bigint,
    "revokedReason" text COLLATE pg_catalog."C",
    CONSTRAINT "svc_access_token_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_access_token_expiresAt_check" CHECK ((("expiresAt" >= '-9007199254740991'::bigint) AND ("expiresAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_access_token_lastUsedAt_check" CHECK ((("lastUsedAt" >= '-9007199254740991'::bigint) AND ("lastUsedAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_access_token_revokedAt_check" CHECK ((("revokedAt" >= '-9007199254740991'::bigint) AND ("revokedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_audit_event (
    id text NOT NULL COLLATE pg_catalog."C",
    ts bigint NOT NULL,
    category text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    actor text COLLATE pg_catalog."C",
    resource text COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    ip text COLLATE pg_catalog."C",
    "userAgent" text COLLATE pg_catalog."C",
    "requestId" text COLLATE pg_catalog."C",
    metadata json NOT NULL,
    CONSTRAINT svc_audit_event_ts_check CHECK (((ts >= '-9007199254740991'::bigint) AND (ts <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_denied_jti (
    id text NOT NULL COLLATE pg_catalog."C",
    "expiresAt" bigint NOT NULL,
    CONSTRAINT "svc_denied_jti_expiresAt_check" CHECK ((("expiresAt" >= '-9007199254740991'::bigint) AND ("expiresAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_idempotency_key (
    id text NOT NULL COLLATE pg_catalog."C",
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    answer json,
    "createdAt" bigint NOT NULL,
    "expiresAt" bigint NOT NULL,
    CONSTRAINT "svc_idempotency_key_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_idempotency_key_expiresAt_check" CHECK ((("expiresAt" >= '-9007199254740991'::bigint) AND ("expiresAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_session (
    id text NOT NULL COLLATE pg_catalog."C",
    "user" text COLLATE pg_catalog."C",
    content json NOT NULL,
    flash json NOT NULL,
    meta json NOT NULL,
    "createdAt" bigint NOT NULL,
    "updatedAt" bigint NOT NULL,
    CONSTRAINT "svc_session_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_session_updatedAt_check" CHECK ((("updatedAt" >= '-9007199254740991'::bigint) AND ("updatedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_social_account (
    subject text NOT NULL COLLATE pg_catalog."C",
    provider text NOT NULL COLLATE pg_catalog."C",
    "userId" text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.svc_subject_revocation (
    id text NOT NULL COLLATE pg_catalog."C",
    "invalidBefore" bigint NOT NULL,
    CONSTRAINT "svc_subject_revocation_invalidBefore_check" CHECK ((("invalidBefore" >= '-9007199254740991'::bigint) AND ("invalidBefore" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_totp (
    id text NOT NULL COLLATE pg_catalog."C",
    "secretEnc" text NOT NULL COLLATE pg_catalog."C",
    "lastStep" bigint,
    "recoveryHashes" jsonb NOT NULL,
    "createdAt" bigint NOT NULL,
    "confirmedAt" bigint,
    CONSTRAINT "svc_totp_confirmedAt_check" CHECK ((("confirmedAt" >= '-9007199254740991'::bigint) AND ("confirmedAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_totp_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_totp_lastStep_check" CHECK ((("lastStep" >= '-9007199254740991'::bigint) AND ("lastStep" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_user (
    id text NOT NULL COLLATE pg_catalog."C",
    identifier text NOT NULL COLLATE pg_catalog."C",
    "identifierFolded" text COLLATE pg_catalog."C",
    password text COLLATE pg_catalog."C",
    roles jsonb NOT NULL,
    enabled boolean NOT NULL,
    locked boolean NOT NULL,
    "socialAccounts" jsonb NOT NULL,
    metadata json NOT NULL,
    "createdAt" bigint NOT NULL,
    "updatedAt" bigint NOT NULL,
    CONSTRAINT "svc_user_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_user_updatedAt_check" CHECK ((("updatedAt" >= '-9007199254740991'::bigint) AND ("updatedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_user_role (
    role text NOT NULL COLLATE pg_catalog."C",
    "userId" text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.svc_webauthn_credential (
    id text NOT NULL COLLATE pg_catalog."C",
    "userId" text NOT NULL COLLATE pg_catalog."C",
    "publicKey" text NOT NULL COLLATE pg_catalog."C",
    counter bigint NOT NULL,
    transports jsonb NOT NULL,
    "backupEligible" boolean NOT NULL,
    "backupState" boolean NOT NULL,
    nickname text COLLATE pg_catalog."C",
    "nicknameFolded" text COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "lastUsedAt" bigint,
    CONSTRAINT svc_webauthn_credential_counter_check CHECK (((counter >= '-9007199254740991'::bigint) AND (counter <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webauthn_credential_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webauthn_credential_lastUsedAt_check" CHECK ((("lastUsedAt" >= '-9007199254740991'::bigint) AND ("lastUsedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_delivery (
    id text NOT NULL COLLATE pg_catalog."C",
    "endpointId" text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    holder text NOT NULL COLLATE pg_catalog."C",
    "dueAt" bigint NOT NULL,
    "admittedAt" bigint NOT NULL,
    CONSTRAINT "svc_webhook_delivery_admittedAt_check" CHECK ((("admittedAt" >= '-9007199254740991'::bigint) AND ("admittedAt" <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_delivery_attempts_check CHECK (((attempts >= '-9007199254740991'::bigint) AND (attempts <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_delivery_dueAt_check" CHECK ((("dueAt" >= '-9007199254740991'::bigint) AND ("dueAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_endpoint (
    id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    "urlFolded" text COLLATE pg_catalog."C",
    "secretEnc" text NOT NULL COLLATE pg_catalog."C",
    events jsonb NOT NULL,
    enabled boolean NOT NULL,
    description text COLLATE pg_catalog."C",
    "descriptionFolded" text COLLATE pg_catalog."C",
    "tenantId" text COLLATE pg_catalog."C",
    "createdBy" text COLLATE pg_catalog."C",
    "createdAt" bigint NOT NULL,
    "updatedAt" bigint NOT NULL,
    "lastDeliveryAt" bigint,
    "lastDeliveryStatus" bigint,
    "lastDeliveryError" text COLLATE pg_catalog."C",
    "failureCount" bigint NOT NULL,
    metadata json NOT NULL,
    CONSTRAINT "svc_webhook_endpoint_createdAt_check" CHECK ((("createdAt" >= '-9007199254740991'::bigint) AND ("createdAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_failureCount_check" CHECK ((("failureCount" >= '-9007199254740991'::bigint) AND ("failureCount" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_lastDeliveryAt_check" CHECK ((("lastDeliveryAt" >= '-9007199254740991'::bigint) AND ("lastDeliveryAt" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_lastDeliveryStatus_check" CHECK ((("lastDeliveryStatus" >= '-9007199254740991'::bigint) AND ("lastDeliveryStatus" <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_endpoint_updatedAt_check" CHECK ((("updatedAt" >= '-9007199254740991'::bigint) AND ("updatedAt" <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_history (
    id text NOT NULL COLLATE pg_catalog."C",
    "endpointId" text NOT NULL COLLATE pg_catalog."C",
    ts bigint NOT NULL,
    "messageId" text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    attempt bigint NOT NULL,
    status bigint,
    error text COLLATE pg_catalog."C",
    "durationMs" bigint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    "responseBody" text COLLATE pg_catalog."C",
    event json NOT NULL,
    CONSTRAINT svc_webhook_history_attempt_check CHECK (((attempt >= '-9007199254740991'::bigint) AND (attempt <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_history_durationMs_check" CHECK ((("durationMs" >= '-9007199254740991'::bigint) AND ("durationMs" <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_history_status_check CHECK (((status >= '-9007199254740991'::bigint) AND (status <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_history_ts_check CHECK (((ts >= '-9007199254740991'::bigint) AND (ts <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_holder (
    id text NOT NULL COLLATE pg_catalog."C",
    beat bigint NOT NULL,
    CONSTRAINT svc_webhook_holder_beat_check CHECK (((beat >= '-9007199254740991'::bigint) AND (beat <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_recovery (
    id text NOT NULL COLLATE pg_catalog."C",
    recovery text NOT NULL COLLATE pg_catalog."C",
    events jsonb NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL,
    kind text COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    total bigint NOT NULL,
    done bigint NOT NULL,
    failed bigint NOT NULL,
    error text COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    "heldUntil" bigint NOT NULL,
    CONSTRAINT svc_webhook_recovery_done_check CHECK (((done >= '-9007199254740991'::bigint) AND (done <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_recovery_failed_check CHECK (((failed >= '-9007199254740991'::bigint) AND (failed <= '9007199254740991'::bigint))),
    CONSTRAINT "svc_webhook_recovery_heldUntil_check" CHECK ((("heldUntil" >= '-9007199254740991'::bigint) AND ("heldUntil" <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_recovery_since_check CHECK (((since >= '-9007199254740991'::bigint) AND (since <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_recovery_total_check CHECK (((total >= '-9007199254740991'::bigint) AND (total <= '9007199254740991'::bigint))),
    CONSTRAINT svc_webhook_recovery_until_check CHECK (((until >= '-9007199254740991'::bigint) AND (until <= '9007199254740991'::bigint)))
);
CREATE TABLE public.svc_webhook_version (
    id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    CONSTRAINT svc_webhook_version_version_check CHECK (((version >= '-9007199254740991'::bigint) AND (version <= '9007199254740991'::bigint)))
);
INSERT INTO public.article VALUES ('019bc187-5719-7000-bd5a-b4255f660ac0', 'first', 'long
text with ''quotes'' and "more" \ %_ 😀', 9007199254740991, -0.1, '["news", "ä_%", ""]', '["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]', '{"list": [], "theme": "dark"}', '2026-01-15 12:00:00.001+00', '019bc187-5331-7000-b0f4-548729b19de5', '019bc187-5331-7001-9fc9-a654981a03d0', '2026-01-15 12:00:31.001+00', '2026-01-15 12:00:31.001+00');
INSERT INTO public.article VALUES ('019bc187-5b01-7000-81e3-4ddc2bd89b63', 'second', '', 3, 1e+300, '[]', NULL, '"text"', '1969-07-20 20:17:40+00', '019bc187-5331-7000-b0f4-548729b19de5', NULL, '2026-01-15 12:00:32.001+00', '2026-01-15 12:00:32.001+00');
INSERT INTO public.article VALUES ('019bc187-5ee9-7000-9d44-a235d34168f6', 'First', '', -5, NULL, NULL, NULL, '[1]', NULL, '019bc187-5331-7000-b0f4-548729b19de5', NULL, '2026-01-15 12:00:33.001+00', '2026-01-15 12:00:33.001+00');
INSERT INTO public.article VALUES ('019bc187-5ee9-7001-aab9-f9c144a3ed0c', 'first', '', 0, NULL, '["news"]', NULL, 'false', NULL, '019bc187-5331-7001-9fc9-a654981a03d0', NULL, '2026-01-15 12:00:33.001+00', '2026-01-15 12:00:33.001+00');
INSERT INTO public.author VALUES ('019bc187-5331-7000-b0f4-548729b19de5', 'ada@shop.example', 'Ada Ünicode', '1815-12-10 00:00:00.123+00', '{"n": 9007199254740991, "langs": ["en", {"$x": 1.5, "a.b": null}]}', true);
INSERT INTO public.author VALUES ('019bc187-5331-7001-9fc9-a654981a03d0', 'max@shop.example', NULL, NULL, NULL, false);
INSERT INTO public.ledger VALUES ('019bc187-5ee9-7003-994a-c893e7285887', 'second', 1, 0, '0001-01-01', NULL, 'open', NULL, NULL, NULL, NULL, '2026-01-15 12:00:33.001+00', '2026-01-15 12:00:33.001+00', NULL, 1);
INSERT INTO public.ledger VALUES ('019bc187-5ee9-7002-a5e1-162018209f5d', 'first', -1225, 9223372036854775807, '2026-01-15', '0190a6a0-0000-7000-8000-0000000000ab', 'open', '\x7363616e00', '[1, -2, 9007199254740991]', '{"a.b": [null, {"$x": 1}]}', 'hidden', '2026-01-15 12:00:33.001+00', '2026-01-15 12:00:34.001+00', NULL, 3);
INSERT INTO public.ledger VALUES ('019bc187-5ee9-7004-b920-cbc4bf882c6b', 'third', 9223372036854775807, 0, '9999-12-31', NULL, 'closed', NULL, NULL, NULL, NULL, '2026-01-15 12:00:33.001+00', '2026-01-15 12:00:33.001+00', '2026-01-15 12:00:34.001+00', 1);
INSERT INTO public.svc_access_token VALUES ('po8QnE771YITiqQF0EUwrQ', 'apikey', 'gone', 'gone', 'bob', NULL, '[]', '2db26b4d7fe92f3b15f710f1b3de445ae4cbbf87ec81ccf5d714b442cba27c8f', NULL, NULL, 1768478403000, 1776254403000, NULL, 1768478403000, 'manual');
INSERT INTO public.svc_access_token VALUES ('2MM7MfXDyVgDvW6WwYNsaw', 'refresh', NULL, NULL, 'bob', NULL, '[]', '855fd2646ba16a2199f2bd5043d971a466aa6632167561a0d0781180fd9d1eb2', 'XdHTJPuk-bJ7RV11xNGc6g', 'tSEmKMSJsY7VkWYEXV4qeA', 1768478403000, 1769083203000, NULL, 1768478403000, 'rotated');
INSERT INTO public.svc_access_token VALUES ('tSEmKMSJsY7VkWYEXV4qeA', 'refresh', NULL, NULL, 'bob', NULL, '[]', 'b2de59eddab8d1e984ecbdee537632d402ed7465fcf457f3ba46f6dc151e4700', 'XdHTJPuk-bJ7RV11xNGc6g', NULL, 1768478403000, 1769083203000, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('Z9CWC0_3y5U8BA1Fq-oTjQ', 'apikey', 'kept', 'kept', 'bob', NULL, '[]', '7377af79cd1fe3614565b580433ca38e99605ac2482e7147a2a3b7d130bb4781', NULL, NULL, 1768478403000, 1776254403000, 1768478403000, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-key', 'apikey', 'Laptop ÄÖ_%', 'laptop äö_%', 'carol', 'acme', '["orders:read", "orders:write"]', 'yGgDp_7_oJqU5D4Xp6w0sdlAw2jQb9kDivXKY1-IxGg', NULL, NULL, 1768478424000, NULL, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-key-old', 'apikey', 'expired', 'expired', 'carol', NULL, '[]', '_w-HwwjBsnbD9rFAikXZrmbF9TG9qzGR2wIWkBpe1So', NULL, NULL, 1768478424000, 1768478424001, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-key-2', 'apikey', 'phone', 'phone', 'carol', NULL, '[]', 'fGMg5fJzMNFmsRJJ6FIQOsH-i8qJJY5ASve9wK21W9c', NULL, NULL, 1768478424000, 1776254400000, 1768478424000, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-refresh-1', 'refresh', NULL, NULL, 'carol', NULL, '[]', 'qI8kw2vfCuIqDn7ffqKTNz543UDWgNBTT4hHjoapFww', 'f-1', 't-refresh-2', 1768478424000, 1769083200000, NULL, 1768478425000, 'rotated');
INSERT INTO public.svc_access_token VALUES ('t-refresh-2', 'refresh', NULL, NULL, 'carol', NULL, '[]', 'DftS1DfJ9syyTDCYdq2rnRe22ehYxbkQ1CIA3kULlb4', 'f-1', NULL, 1768478425000, 1769083200000, NULL, NULL, NULL);
INSERT INTO public.svc_access_token VALUES ('t-refresh-3', 'refresh', NULL, NULL, 'dave', NULL, '[]', 'yhCxerxrJebWDfIIeiFVm0J_yK7LWZmiu2N2s0uPero', 'f-2', NULL, 1768478425000, 1769083200000, NULL, 1768478425000, 'logout');
INSERT INTO public.svc_access_token VALUES ('t-access', 'access', NULL, NULL, 'dave', NULL, '["a"]', NULL, 'f-1', NULL, 1768478425000, 1768564800000, NULL, NULL, NULL);
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000001', 1768478403000, 'session', 'session.opened', 'success', 'alice', 'pXnD4vu44jXl5TdUu-N23dKv2New8WHNp_WQJH6fdOA', NULL, '127.0.0.1', NULL, 'req-1', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000002', 1768478403000, 'auth', 'login.success', 'success', 'alice', NULL, NULL, '127.0.0.1', NULL, 'req-1', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000003', 1768478403000, 'session', 'session.opened', 'success', 'bob', 'P04LkwEcQjxSOFhaAugOStd2_SBUjAKC9PmufthxBZQ', NULL, '127.0.0.1', NULL, 'req-5', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000004', 1768478403000, 'auth', 'login.success', 'success', 'bob', NULL, NULL, '127.0.0.1', NULL, 'req-5', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000005', 1768478403000, 'webauthn', 'passkey.registered', 'success', 'bob', 'vF-9mK7Q5c6uMgCYcQHkG3i7J3UNPz-y3xbJHSwXzVs', NULL, '127.0.0.1', NULL, 'req-8', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000006', 1768478403000, 'token', 'apikey.created', 'success', 'bob', 'Z9CWC0_3y5U8BA1Fq-oTjQ', NULL, '127.0.0.1', NULL, 'req-9', '{"name":"kept","scopes":[],"subject":"bob"}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000007', 1768478403000, 'token', 'apikey.created', 'success', 'bob', 'po8QnE771YITiqQF0EUwrQ', NULL, '127.0.0.1', NULL, 'req-a', '{"name":"gone","scopes":[],"subject":"bob"}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000008', 1768478403000, 'token', 'apikey.revoked', 'success', 'bob', 'po8QnE771YITiqQF0EUwrQ', 'manual', '127.0.0.1', NULL, 'req-b', '{"name":"gone","scopes":[],"subject":"bob"}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000009', 1768478403000, 'auth', 'login.success', 'success', 'bob', NULL, 'token', '127.0.0.1', NULL, 'req-c', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000010', 1768478403000, 'token', 'token.issued', 'success', 'bob', '2MM7MfXDyVgDvW6WwYNsaw', NULL, '127.0.0.1', NULL, 'req-c', '{"scopes":[]}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000011', 1768478403000, 'token', 'token.refreshed', 'success', 'bob', 'tSEmKMSJsY7VkWYEXV4qeA', NULL, '127.0.0.1', NULL, 'req-d', '{"replaces":"2MM7MfXDyVgDvW6WwYNsaw"}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000012', 1768478403000, 'session', 'session.opened', 'success', 'root', 'Fmx0NS5EZ5ELztBkxWo06WGFqGL0s73YmZlzNtv2Rxs', NULL, '127.0.0.1', NULL, 'req-f', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000013', 1768478403000, 'auth', 'login.success', 'success', 'root', NULL, NULL, '127.0.0.1', NULL, 'req-f', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000014', 1768478403000, 'webhook', 'webhook.created', 'success', 'root', 'wh_TacEH54l-RfwxRSHtydW9Q', NULL, '127.0.0.1', NULL, 'req-h', '{"origin":"https://shop.example","events":["order.paid"]}');
INSERT INTO public.svc_audit_event VALUES ('aud_vWTtYHGzt4w6_1000000015', 1768478403000, 'auth', 'login.failure', 'failure', 'alice', NULL, 'wrong_password', '127.0.0.1', NULL, 'req-i', '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_1', 1768392000000, 'auth', 'login.failure', 'failure', 'carol', NULL, 'invalid_credentials', '192.0.2.1', 'test/1.0', 'req-1', '{"attempt":1,"a.b":{"$c":["é"]}}');
INSERT INTO public.svc_audit_event VALUES ('aud_2', 1768305600000, 'auth', 'login.failure', 'failure', NULL, NULL, NULL, NULL, NULL, NULL, '{}');
INSERT INTO public.svc_audit_event VALUES ('aud_3', 1768219200000, 'webhook', 'webhook.created', 'success', 'carol', 'wh_1', 'invalid_credentials', '192.0.2.1', 'test/1.0', 'req-3', '{"attempt":3,"a.b":{"$c":["é"]}}');
INSERT INTO public.svc_audit_event VALUES ('aud_400', 1733918400000, 'auth', 'login.failure', 'failure', 'carol', NULL, 'invalid_credentials', '192.0.2.1', 'test/1.0', 'req-400', '{"attempt":400,"a.b":{"$c":["é"]}}');
INSERT INTO public.svc_denied_jti VALUES ('j-1', 1768564825000);
INSERT INTO public.svc_denied_jti VALUES ('j-2', 1768478425001);
INSERT INTO public.svc_idempotency_key VALUES ('_4yTupPcbC6MGsf7ZCDbW_LcbxwbXRT1fLfz5Zsrwm0', 'passkey', 'own_VQXygSCuFvArYjLJZ_r82Q', '{"status":200,"headers":{},"body":"gcm1.EOTRmqV-myGsg1cLlQNpOv2QG5bFLHYENiI23S8OduMaWejVgFJQvYdD76tJbaRiU8ynFulycYAo-dp6MdSAiRIm-t6NHZ-4ubEVkUvi35kVRX-2yNquA2mllt9MJh1kJGCxP-mbbXdeGh78YrdNty6YmulnLB04-LCjsonFqGJXyv1Dng"}', 1768478403000, 1768478463000);
INSERT INTO public.svc_idempotency_key VALUES ('54a8qoTjHJKylQCWYzN8YBb5tUM24XSK81HfsbKN1gs', 'passkey', 'own_SOGB_8ci8pT6iL7p3o9kfQ', NULL, 1768478403000, 1768478463000);
INSERT INTO public.svc_idempotency_key VALUES ('gOzqtyUI7ur7ch96H2N-Pcpw4aoOzAtTjrfWssx2jvU', '-5Yu0hp5UMJuEuxcjXw-7r06RRg6p1VfeZX0T1OmC9g', 'own_Jt89Mxf4YafR-RY7DqhZbQ', '{"status":200,"headers":{"content-type":"application/json; charset=utf-8"},"body":"gcm1.Ik-jBoftcO1CTcsksyH8WuCIPJxPyOOQWHnn-sRWLEgu3bSD3a55"}', 1768478403000, 1769083203000);
INSERT INTO public.svc_idempotency_key VALUES ('8QWxHfQ9XTIfXHc--QSvl5AkiHtNKw-raZOH9Z4v8B4', 'fingerprint-1', 'own_LrhXqb8jx6gB3qZ5MjaGYA', '{"status":201,"headers":{"content-type":"application/json; charset=utf-8","location":"/orders/1"},"body":"{\"order\":\"ü\"}"}', 1768478429000, 1771070429000);
INSERT INTO public.svc_idempotency_key VALUES ('tJpA9H_zi2cqhucBVqeowdI9XHgTXK8U_8hYMsZ0SVU', 'fingerprint-2', 'own_2Jzh1j4n6pDxZZhiJSGMGA', NULL, 1768478429000, 1769169629000);
INSERT INTO public.svc_idempotency_key VALUES ('vX--9meIL31w4HF32KKYhKfiEz9us88zmw-acPEEcT4', 'fingerprint-3', 'own_tH-QsTQocjdGg7KPrsTCJA', NULL, 1768478429000, 1768478429001);
INSERT INTO public.svc_session VALUES ('pXnD4vu44jXl5TdUu-N23dKv2New8WHNp_WQJH6fdOA', 'alice', '{"cart":[1,2]}', '{}', '{"ip":"127.0.0.1","userAgent":null}', 1768478403000, 1768478403000);
INSERT INTO public.svc_session VALUES ('P04LkwEcQjxSOFhaAugOStd2_SBUjAKC9PmufthxBZQ', 'bob', '{}', '{}', '{"ip":"127.0.0.1","userAgent":null}', 1768478403000, 1768478403000);
INSERT INTO public.svc_session VALUES ('Fmx0NS5EZ5ELztBkxWo06WGFqGL0s73YmZlzNtv2Rxs', 'root', '{}', '{}', '{"ip":"127.0.0.1","userAgent":null}', 1768478403000, 1768478403000);
INSERT INTO public.svc_session VALUES ('RQIivMNHWwGqadWwFQp1oIo7w6h7uHzkKQ6n4NTlGHc', 'carol', '{}', '{}', '{"ip":"192.0.2.1"}', 1768478421000, 1768478421000);
INSERT INTO public.svc_session VALUES ('glKr-lqke3jWuKOoXQ8KASmyqCW4PhXyK-uF3PBavfY', NULL, '{"before":"login"}', '{}', '{}', 1768478422000, 1768478422000);
INSERT INTO public.svc_session VALUES ('9jRqKu5DqZQopMtoDxOFNz-QA0ZZJoX1eOBRodUDgwI', 'dave', '{"n":1e+21,"m":-0.5,"big":9007199254740991}', '{}', '{}', 1768478423000, 1768478423000);
INSERT INTO public.svc_session VALUES ('aoQLr12MP_JBaIrrFFRuZTd0zVOH-vHLmCsPu_H7uBA', 'carol', '{"cart":[1,2,{"sku":"ä.$1","a.b":null}]}', '{"info":["hi","there"]}', '{"ip":"2001:db8::1","userAgent":"test/1.0"}', 1768478420000, 1768478424000);
INSERT INTO public.svc_social_account VALUES ('10769150350006150715113082367', 'google', '019bc186-eda0-7000-b3e1-5922578e5989');
INSERT INTO public.svc_social_account VALUES ('583231', 'github', '019bc186-eda0-7000-b3e1-5922578e5989');
INSERT INTO public.svc_social_account VALUES ('583232', 'github', '019bc186-f188-7000-b6f3-61e75bcd3af8');
INSERT INTO public.svc_subject_revocation VALUES ('dave', 1768478405000);
INSERT INTO public.svc_totp VALUES ('019bc186-de00-7000-a689-dcc11b2c1eda', 'gcm1.0Ncw8FbiC19zIj6TnB_Q1AGXtDrERV95x6CZJ7x7zvwsUrXwqFnIQxEtSk4cXHY-UaJ6cxy1if4ze2rg', 58949280, '["T5wltWRu7GwPyF0kQ3UFxA91o1Ruj70ZSgrPgUyoRV0", "9OgcA3CR-LQ2CFomMB-JyStZ5_396p4kMTdVerm3Q7k", "_En4wkLZUsmkRavpVqk8Y0blPIMM8HOLTn2dbMh9yiQ", "LySC9RMidyhsKU9DdwdsthqJ4OF5vtFJeTmTmBWZY0c", "Pd_TA8T2_irkUbn3DYWUlIgiecGM4vhw8AqLdmccRqk", "_iI36yhvzrCXkARaYRFvAXa4AvIfIiihnifDSYizLyA", "1xV7mydT4MIo8lgKmXT99dvj5sxDc34mWL4GzkoFNwo", "my6e2ql9CraEd9kvHO_4gRjQkrBfhibrnW1T4qVUqRw", "bFzjVqCpmM-1T9UdSSAhZDEoJ9MkGgFNPXrZ1bxGP60", "JxHUBIGc4vyq2ba8dkQweFlLCBkt_9XnC7TENOtMkbI"]', 1768478403000, 1768478403000);
INSERT INTO public.svc_totp VALUES ('u-1', 'gcm1.c2VjcmV0', 1002, '["VPUK_wwF9QmoBGBLd2yFojlpJyxXsvMFS24Fx_xuVD8", "LtzonvGC9Jnto6wQn1HXwBlUtOXwe3ims1abXqBHzgw"]', 1768478427000, 1768478427000);
INSERT INTO public.svc_totp VALUES ('u-2', 'gcm1.d2FpdGluZw', NULL, '[]', 1768478427000, NULL);
INSERT INTO public.svc_user VALUES ('019bc186-de00-7000-a689-dcc11b2c1eda', 'alice', 'alice', '$argon2id$v=19$m=7168,t=1,p=1$AsDQtor8J5r1i6NeETU/xw$/UBH+Ht0wY3LpnNRmwbSoO08RuxAaFScqm+aha7yjHI', '["ROLE_USER"]', true, false, '[]', '{}', 1768478400000, 1768478400000);
INSERT INTO public.svc_user VALUES ('019bc186-e1e8-7000-bcb9-562c562917ee', 'bob', 'bob', '$argon2id$v=19$m=7168,t=1,p=1$AsDQtor8J5r1i6NeETU/xw$/UBH+Ht0wY3LpnNRmwbSoO08RuxAaFScqm+aha7yjHI', '["ROLE_USER"]', true, false, '[]', '{}', 1768478401000, 1768478401000);
INSERT INTO public.svc_user VALUES ('019bc186-e5d0-7000-892a-9d74917d7679', 'root', 'root', '$argon2id$v=19$m=7168,t=1,p=1$AsDQtor8J5r1i6NeETU/xw$/UBH+Ht0wY3LpnNRmwbSoO08RuxAaFScqm+aha7yjHI', '["ROLE_SVC_ADMIN"]', true, false, '[]', '{}', 1768478402000, 1768478402000);
INSERT INTO public.svc_user VALUES ('019bc186-f570-7000-af19-67a86523b57c', 'erin', 'erin', NULL, '["ROLE_SVC_ADMIN", "ROLE_USER"]', true, true, '[]', '{"note":"changed"}', 1768478406000, 1768478406000);
INSERT INTO public.svc_user VALUES ('019bc186-eda0-7000-b3e1-5922578e5989', 'Carol.Ünicode@shop.example', 'carol.ünicode@shop.example', '$argon2id$v=19$m=7168,t=1,p=1$/rdRRu+R69+ke+tLMMXRmA$6p8P7CUEo60coxoimb6n4YpgZcEQI/u0J53oeYv3lMg', '["ROLE_USER", "ROLE_EDITOR"]', true, false, '[{"subject": "10769150350006150715113082367", "linkedAt": 1768478407000, "provider": "google"}, {"subject": "583231", "linkedAt": 1768478407000, "provider": "github"}]', '{"locale":"de","a.b":{"$x":[1,2.5,null,true,"ß"]},"__proto":1,"nested":{"deep":[{"a":[]},{}]}}', 1768478404000, 1768478407000);
INSERT INTO public.svc_user VALUES ('019bc186-f188-7000-b6f3-61e75bcd3af8', 'dave', 'dave', NULL, '[]', false, false, '[{"subject": "583232", "linkedAt": 1768478407000, "provider": "github"}]', '{}', 1768478405000, 1768478407000);
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-de00-7000-a689-dcc11b2c1eda');
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-e1e8-7000-bcb9-562c562917ee');
INSERT INTO public.svc_user_role VALUES ('ROLE_SVC_ADMIN', '019bc186-e5d0-7000-892a-9d74917d7679');
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-eda0-7000-b3e1-5922578e5989');
INSERT INTO public.svc_user_role VALUES ('ROLE_EDITOR', '019bc186-eda0-7000-b3e1-5922578e5989');
INSERT INTO public.svc_user_role VALUES ('ROLE_SVC_ADMIN', '019bc186-f570-7000-af19-67a86523b57c');
INSERT INTO public.svc_user_role VALUES ('ROLE_USER', '019bc186-f570-7000-af19-67a86523b57c');
INSERT INTO public.svc_webauthn_credential VALUES ('vF-9mK7Q5c6uMgCYcQHkG3i7J3UNPz-y3xbJHSwXzVs', '019bc186-e1e8-7000-bcb9-562c562917ee', 'pQECAyYgASFYIFmDKgUH2Yopv_ExiXUCwJS_oTzLySopDwZ8jIZXIlayIlggYXdq3HmF7UH1PKBURKWo43dK1lXa_NKq1IbgeX5cXco', 0, '[]', false, false, NULL, NULL, 1768478403000, NULL);
INSERT INTO public.svc_webauthn_credential VALUES ('cred-2', 'u-1', 'pQECAyYgASFYIA', 0, '[]', false, false, 'Key_ä', 'key_ä', 1768478426000, NULL);
INSERT INTO public.svc_webauthn_credential VALUES ('cred-3', 'u-2', 'pQECAyYgASFYIA', 0, '[]', false, false, 'other', 'other', 1768478426000, NULL);
INSERT INTO public.svc_webauthn_credential VALUES ('cred-1', 'u-1', 'pQECAyYgASFYIA', 9, '["internal", "hybrid"]', true, true, 'Phone 100%', 'phone 100%', 1768478426000, 1768478427000);
INSERT INTO public.svc_webhook_delivery VALUES ('msg_2', 'wh_1', '{"id":"aud_9","ts":1768478429000,"category":"auth","action":"order.paid","outcome":"success","actor":"bob","resource":null,"reason":null,"ip":null,"userAgent":null,"requestId":null,"metadata":{"total":"12.50"}}', 1, '', 1768737629000, 1768478429000);
INSERT INTO public.svc_webhook_delivery VALUES ('msg_3', 'wh_3', '{"id":"aud_9","ts":1768478429000,"category":"auth","action":"order.paid","outcome":"success","actor":"bob","resource":null,"reason":null,"ip":null,"userAgent":null,"requestId":null,"metadata":{"total":"12.50"}}', 2, '', 1794398429000, 1768478429000);
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_TacEH54l-RfwxRSHtydW9Q', 'https://shop.example/hook', 'https://shop.example/hook', 'gcm1.J1cX3pFtRv22oIxvgKrqiWTw_cmhKQQWYounhPAgJFU9NHgTO0rXLHtJ-kitRDU1QkLIz1lIIa5-_zCDR4Bn4bdIr1iRKr6GfmebabIH', '["order.paid"]', true, 'of the shop', 'of the shop', NULL, 'root', 1768478403000, 1768478403000, NULL, NULL, NULL, 0, '{"team":"a"}');
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_2', 'https://receiver.example/wh_2', 'https://receiver.example/wh_2', 'gcm1.TV_LV4_Sf_QeNKSy-ThE-5r8S8ycVkGkPmUyRvw3KHfq3YnO_vJxnQgpwVsLugJuGFMuE0slHLw1Ztc6MGxt0m_ROTIYe7_ANRBQ1ruI', '["*"]', false, NULL, NULL, NULL, NULL, 1768478428000, 1768478428000, NULL, NULL, NULL, 0, '{}');
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_1', 'https://receiver.example/wh_1', 'https://receiver.example/wh_1', 'gcm1.WU82pp7nKcF540r4586x4INvYl7Ql_DeWNPehcQy8aqHRuRbGtxwZf0uNTJFdrfyMATjMtJWZxuybgyFeFk2a3HypWCp7qPgm6yDROFk', '["cart.changed", "order.*"]', true, 'Straße 100%_', 'straße 100%_', 'acme', 'root', 1768478428000, 1768478428000, 1768478429000, 204, NULL, 0, '{"team":"a","x.y":[1,{"$z":2}]}');
INSERT INTO public.svc_webhook_endpoint VALUES ('wh_3', 'https://OTHER.example/hook', 'https://other.example/hook', 'gcm1.ErbbRsieX9enIAN4GTpKYOI77PUADQNHtyW1pY2ye9Ao92Izf9bNFMTFW55OZ5fKbQdsmXDAYSiHYHIithfEPw4sqMIf1vlWGYGLy-Yt', '["order.*"]', true, NULL, NULL, NULL, NULL, 1768478428000, 1768478428000, 1768478429000, NULL, 'timeout', 2, '{}');
INSERT INTO public.svc_webhook_history VALUES ('h1', 'wh_1', 1768478429001, 'msg_1', 'order.paid', 1, 503, 'status 503', 12, 'retried', 'busy', '{"id":"aud_9","ts":1768478429000,"category":"auth","action":"order.paid","outcome":"success","actor":"bob","resource":null,"reason":null,"ip":null,"userAgent":null,"requestId":null,"metadata":{"total":"12.50"}}');
INSERT INTO public.svc_webhook_history VALUES ('h2', 'wh_1', 1768478429002, 'msg_1', 'order.paid', 2, 204, NULL, 12, 'delivered', '', '{"id":"aud_9","ts":1768478429000,"category":"auth","action":"order.paid","outcome":"success","actor":"bob","resource":null,"reason":null,"ip":null,"userAgent":null,"requestId":null,"metadata":{"total":"12.50"}}');
INSERT INTO public.svc_webhook_version VALUES ('endpoints', 1);
ALTER TABLE ONLY public.article
    ADD CONSTRAINT article_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.author
    ADD CONSTRAINT author_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_access_token
    ADD CONSTRAINT svc_access_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_audit_event
    ADD CONSTRAINT svc_audit_event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_denied_jti
    ADD CONSTRAINT svc_denied_jti_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_idempotency_key
    ADD CONSTRAINT svc_idempotency_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_session
    ADD CONSTRAINT svc_session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_social_account
    ADD CONSTRAINT svc_social_account_pkey PRIMARY KEY (subject, provider);
ALTER TABLE ONLY public.svc_subject_revocation
    ADD CONSTRAINT svc_subject_revocation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_totp
    ADD CONSTRAINT svc_totp_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_user
    ADD CONSTRAINT svc_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_user_role
    ADD CONSTRAINT svc_user_role_pkey PRIMARY KEY (role, "userId");
ALTER TABLE ONLY public.svc_webauthn_credential
    ADD CONSTRAINT svc_webauthn_credential_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_delivery
    ADD CONSTRAINT svc_webhook_delivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_endpoint
    ADD CONSTRAINT svc_webhook_endpoint_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_history
    ADD CONSTRAINT svc_webhook_history_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_holder
    ADD CONSTRAINT svc_webhook_holder_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_recovery
    ADD CONSTRAINT svc_webhook_recovery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_webhook_version
    ADD CONSTRAINT svc_webhook_version_pkey PRIMARY KEY (id);
CREATE INDEX "article_authorId_id_06e56820_idx" ON public.article USING btree ("authorId", id);
CREATE UNIQUE INDEX "article_authorId_slug_38a4d3a0_key" ON public.article USING btree ("authorId", slug);
CREATE INDEX "article_formerId_id_9bb38d2f_idx" ON public.article USING btree ("formerId" NULLS FIRST, id);
CREATE INDEX "article_publishedAt_slug_id_211cf839_idx" ON public.article USING btree ("publishedAt" NULLS FIRST, slug, id);
CREATE UNIQUE INDEX author_email_84436a5e_key ON public.author USING btree (email);
CREATE UNIQUE INDEX ledger_label_6d4d1e1e_key ON public.ledger USING btree (label);
CREATE INDEX ledger_on_state_id_a98bacbe_idx ON public.ledger USING btree ("on", state, id);
CREATE INDEX "svc_access_token_createdAt_desc_id_402bbf69_idx" ON public.svc_access_token USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_access_token_expiresAt_cd8cc6d5_idx" ON public.svc_access_token USING btree ("expiresAt" NULLS FIRST) WHERE ("expiresAt" IS NOT NULL);
CREATE INDEX svc_access_token_family_3042e3ed_idx ON public.svc_access_token USING btree (family NULLS FIRST) WHERE (family IS NOT NULL);
CREATE INDEX "svc_access_token_kind_createdAt_desc_id_54587b9b_idx" ON public.svc_access_token USING btree (kind, "createdAt" DESC, id);
CREATE INDEX "svc_access_token_revokedAt_32854152_idx" ON public.svc_access_token USING btree ("revokedAt" NULLS FIRST) WHERE ("revokedAt" IS NOT NULL);
CREATE UNIQUE INDEX "svc_access_token_secretHash_14c952f9_key" ON public.svc_access_token USING btree ("secretHash" NULLS FIRST);
CREATE INDEX "svc_access_token_subject_createdAt_desc_1dc01a2a_idx" ON public.svc_access_token USING btree (subject, "createdAt" DESC);
CREATE INDEX "svc_access_token_tenantId_createdAt_desc_95c6c23e_idx" ON public.svc_access_token USING btree ("tenantId" NULLS FIRST, "createdAt" DESC) WHERE ("tenantId" IS NOT NULL);
CREATE INDEX svc_audit_event_action_ts_desc_id_desc_6f14d16a_idx ON public.svc_audit_event USING btree (action, ts DESC, id DESC);
CREATE INDEX svc_audit_event_actor_ts_desc_id_desc_53e01ec9_idx ON public.svc_audit_event USING btree (actor NULLS FIRST, ts DESC, id DESC) WHERE (actor IS NOT NULL);
CREATE INDEX svc_audit_event_category_ts_desc_id_desc_3460a86c_idx ON public.svc_audit_event USING btree (category, ts DESC, id DESC);
CREATE INDEX svc_audit_event_outcome_ts_desc_id_desc_b96ce48f_idx ON public.svc_audit_event USING btree (outcome, ts DESC, id DESC);
CREATE INDEX svc_audit_event_ts_desc_id_desc_09fd1453_idx ON public.svc_audit_event USING btree (ts DESC, id DESC);
CREATE INDEX "svc_denied_jti_expiresAt_f987d172_idx" ON public.svc_denied_jti USING btree ("expiresAt");
CREATE INDEX "svc_idempotency_key_expiresAt_af99b457_idx" ON public.svc_idempotency_key USING btree ("expiresAt");
CREATE INDEX "svc_session_createdAt_desc_id_8135f014_idx" ON public.svc_session USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_session_updatedAt_desc_id_99718c5d_idx" ON public.svc_session USING btree ("updatedAt" DESC, id);
CREATE INDEX "svc_session_user_createdAt_desc_26b95d0c_idx" ON public.svc_session USING btree ("user" NULLS FIRST, "createdAt" DESC) WHERE ("user" IS NOT NULL);
CREATE INDEX "svc_social_account_userId_63721f21_idx" ON public.svc_social_account USING btree ("userId");
CREATE INDEX "svc_user_createdAt_desc_id_e2b9986c_idx" ON public.svc_user USING btree ("createdAt" DESC, id);
CREATE INDEX svc_user_enabled_identifier_3369f2b0_idx ON public.svc_user USING btree (enabled, identifier);
CREATE UNIQUE INDEX svc_user_identifier_8c600d06_key ON public.svc_user USING btree (identifier);
CREATE INDEX svc_user_locked_identifier_10e5dc65_idx ON public.svc_user USING btree (locked, identifier);
CREATE INDEX "svc_user_role_userId_574ca950_idx" ON public.svc_user_role USING btree ("userId");
CREATE INDEX "svc_user_updatedAt_desc_id_27a1dbc2_idx" ON public.svc_user USING btree ("updatedAt" DESC, id);
CREATE INDEX "svc_webauthn_credential_createdAt_desc_id_ad96b585_idx" ON public.svc_webauthn_credential USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_webauthn_credential_userId_createdAt_desc_3702a81e_idx" ON public.svc_webauthn_credential USING btree ("userId", "createdAt" DESC);
CREATE INDEX "svc_webhook_delivery_admittedAt_a508a279_idx" ON public.svc_webhook_delivery USING btree ("admittedAt");
CREATE INDEX "svc_webhook_delivery_holder_dueAt_df5f3233_idx" ON public.svc_webhook_delivery USING btree (holder, "dueAt");
CREATE INDEX "svc_webhook_delivery_holder_endpointId_dueAt_adm_a60ea070_idx" ON public.svc_webhook_delivery USING btree (holder, "endpointId", "dueAt", "admittedAt");
CREATE INDEX "svc_webhook_endpoint_createdAt_desc_id_f2aab917_idx" ON public.svc_webhook_endpoint USING btree ("createdAt" DESC, id);
CREATE INDEX "svc_webhook_endpoint_enabled_createdAt_desc_id_af4a0874_idx" ON public.svc_webhook_endpoint USING btree (enabled, "createdAt" DESC, id);
CREATE INDEX "svc_webhook_endpoint_failureCount_desc_id_88d0b8c9_idx" ON public.svc_webhook_endpoint USING btree ("failureCount" DESC, id);
CREATE INDEX "svc_webhook_endpoint_updatedAt_desc_id_14503a8c_idx" ON public.svc_webhook_endpoint USING btree ("updatedAt" DESC, id);
CREATE INDEX svc_webhook_endpoint_url_4d4892d5_idx ON public.svc_webhook_endpoint USING btree (url);
CREATE INDEX "svc_webhook_history_endpointId_messageId_ts_desc_a2c0be69_idx" ON public.svc_webhook_history USING btree ("endpointId", "messageId", ts DESC, id DESC);
CREATE INDEX "svc_webhook_history_endpointId_outcome_ts_desc_i_ce15223f_idx" ON public.svc_webhook_history USING btree ("endpointId", outcome, ts DESC, id DESC);
CREATE INDEX "svc_webhook_history_endpointId_status_ts_desc_id_cce852f4_idx" ON public.svc_webhook_history USING btree ("endpointId", status NULLS FIRST, ts DESC, id DESC);
CREATE INDEX "svc_webhook_history_endpointId_ts_desc_id_desc_d45b997c_idx" ON public.svc_webhook_history USING btree ("endpointId", ts DESC, id DESC);
CREATE INDEX "svc_webhook_history_endpointId_type_ts_desc_id_d_6f72d9b9_idx" ON public.svc_webhook_history USING btree ("endpointId", type, ts DESC, id DESC);
CREATE INDEX svc_webhook_history_ts_desc_id_desc_0aef4ec5_idx ON public.svc_webhook_history USING btree (ts DESC, id DESC);
CREATE INDEX "svc_webhook_recovery_state_heldUntil_75dc9cd9_idx" ON public.svc_webhook_recovery USING btree (state, "heldUntil");
