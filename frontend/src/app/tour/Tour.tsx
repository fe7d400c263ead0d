import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { linkQuery, linksQuery } from "@/api/resources/links";
import type { LinkDetail } from "@/api/types";
import { ButtonLink } from "@/components/ButtonLink";
import { usePreferences } from "@/components/PreferencesProvider";
import {
  isTourStep,
  isTourStepDone,
  TOUR_STEPS,
  type TourStep,
  tourStepAfter,
} from "@/domain/tour";
import css from "./Tour.module.css";
import { tourText } from "./tour-texts";

function Offer() {
  const { change } = usePreferences();
  return (
    <>
      <p className={css.text}>
        <b>Tour of this demo</b>, under three minutes: lose a node, move the link, see the proof.
      </p>
      <div className="row">
        <Button size="xs" onClick={() => change({ tour: "picture" })}>
          Take the tour
        </Button>
        <Button size="xs" variant="default" onClick={() => change({ tour: "ended" })}>
          No, thanks
        </Button>
      </div>
    </>
  );
}

/** Goes on as soon as the user has done what the step asks for. */
function useAdvance(step: TourStep, link: LinkDetail): void {
  const { pathname } = useLocation();
  const { change } = usePreferences();
  const isDone = isTourStepDone(step, { pathname, link });
  useEffect(() => {
    if (isDone) change({ tour: tourStepAfter(step) });
  }, [isDone, step, change]);
}

function Step({ step, link }: { step: TourStep; link: LinkDetail }) {
  const { change } = usePreferences();
  useAdvance(step, link);
  const { title, text, page, words } = tourText(step, link);
  const isLast = tourStepAfter(step) === "ended";
  return (
    <>
      <div className={css.text} role="status">
        <b>
          {TOUR_STEPS.indexOf(step) + 1} of {TOUR_STEPS.length}: {title}
        </b>
        <p>{text}</p>
      </div>
      <div className="row">
        {words && (
          <ButtonLink size="xs" {...page}>
            {words}
          </ButtonLink>
        )}
        <Button
          size="xs"
          variant={isLast ? "filled" : "default"}
          onClick={() => change({ tour: tourStepAfter(step) })}
        >
          {isLast ? "End the tour" : "Next"}
        </Button>
        {!isLast && (
          <Button size="xs" variant="subtle" onClick={() => change({ tour: "ended" })}>
            Skip the tour
          </Button>
        )}
      </div>
    </>
  );
}

function CurrentStep({ step, linkId }: { step: TourStep; linkId: string }) {
  const { data: link } = useQuery(linkQuery(linkId));
  return link ? <Step step={step} link={link} /> : null;
}

/**
 * The tour of the demo on its first link, at the foot of every page. It covers nothing for good: the page ends above
 * it. A demo of bare clusters has no link yet, and so no tour.
 */
export function Tour() {
  const { tour } = usePreferences().preferences;
  const { data: links } = useQuery({ ...linksQuery(), enabled: tour !== "ended" });
  const linkId = links?.results[0]?.id;
  if (tour === "ended" || linkId === undefined) return null;
  return (
    <aside className={`${css.tour} no-print`} aria-label="Tour of the demo">
      {isTourStep(tour) ? <CurrentStep step={tour} linkId={linkId} /> : <Offer />}
    </aside>
  );
}
