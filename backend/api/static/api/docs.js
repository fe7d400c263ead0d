SwaggerUIBundle({
  url: "/api/v1/schema",
  dom_id: "#docs",
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    const cookie = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
    if (cookie) request.headers["X-CSRFToken"] = cookie[1];
    return request;
  },
});
