import { http, problem } from "../http";

/** What the catalogues say; of any code the same, but for one that they do not know. */
const explanation = (code: string) => ({
  code,
  title: "Node not responding",
  what_happened: "A node that the plan needs did not respond in time.",
  what_it_means: "The plan is refused: what `SHOW ALL SLAVES STATUS` shows there is unknown.",
  what_to_do: "Bring the node back, or choose another one.",
});

export const explanationHandlers = () => [
  http.get("/api/v1/explanations/findings/{code}", ({ params, response }) =>
    response(200).json(explanation(params.code)),
  ),
  http.get("/api/v1/explanations/problems/{code}", ({ params, response }) =>
    params.code === "unheard_of"
      ? response.untyped(problem(404, "not_found", "Not found", "No such explanation exists."))
      : response(200).json(explanation(params.code)),
  ),
];
