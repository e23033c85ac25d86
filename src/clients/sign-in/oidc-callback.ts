/** The path to which the provider of a sign-in by OpenID Connect redirects the browser. `LAUREL_OIDC_REDIRECT_URI` must have it. */
export const OIDC_CALLBACK = '/admin/session/oidc/callback';
